import ByteBuffers
import Foundation
import Testing

@testable import ImageCaching

/// A reader of entries that was written from the article *How caching works* and knows nothing else of them.
private struct DocumentedEntry {
    let payload, key: [UInt8]
    let storedAt: Int64
    var texts: [String: String] = [:]
    var attachments: [String: [UInt8]] = [:]

    init?(_ file: [UInt8]) {
        let size = file.count
        guard size >= 48 else { return nil }
        func number(_ start: Int, _ count: Int, in bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let payloadCount = Int(number(size - 48, 8, in: file[...]))
        let keyCount = Int(number(size - 24, 4, in: file[...]))
        let metadataCount = Int(number(size - 20, 4, in: file[...]))
        guard number(size - 16, 4, in: file[...]) == 1, Array(file[(size - 12)..<(size - 8)]) == Array("SWIC".utf8),
            size == payloadCount + keyCount + metadataCount + 48
        else { return nil }
        storedAt = Int64(bitPattern: number(size - 40, 8, in: file[...]))
        payload = Array(file[..<payloadCount])
        key = Array(file[payloadCount..<payloadCount + keyCount])
        var rest = file[(payloadCount + keyCount)..<(payloadCount + keyCount + metadataCount)]
        func take() -> (bytes: [UInt8], isMarked: Bool) {
            let word = number(rest.startIndex, 4, in: rest)
            rest = rest.dropFirst(4)
            defer { rest = rest.dropFirst(Int(word & 0x7FFF_FFFF)) }
            return (Array(rest.prefix(Int(word & 0x7FFF_FFFF))), word >> 31 == 1)
        }
        while !rest.isEmpty {
            let name = String(decoding: take().bytes, as: UTF8.self)
            let (value, isAttachment) = take()
            if isAttachment { attachments[name] = value } else { texts[name] = String(decoding: value, as: UTF8.self) }
        }
    }
}

@Suite struct FormatTests {
    @Test("S122 S127: a reader written from the documentation reads what the cache writes", arguments: [0, 1, 70_000])
    func documented(count: Int) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(count), metadata: ["ETag": "\"ä\"", "url": "https://o.example/"], for: key("a"))
        try cache.updateMetadata(for: key("a")) { $0.attachments["hash"] = [0, 255] }
        let digits = key("a").fileName
        let file = DiskFixture.read("\(fixture.path)/v1/\(digits.prefix(2))/\(digits)")
        let entry = try #require(DocumentedEntry(file))
        #expect(entry.payload == payload(count).array)
        #expect(entry.storedAt == fixture.now)
        #expect(entry.texts == ["ETag": "\"ä\"", "url": "https://o.example/"])
        #expect(entry.attachments == ["hash": [0, 255]])
        // Version, then the texts "test" and "a", each a tag and a length of eight bytes.
        let text = { (text: String) in [1, UInt8(text.utf8.count), 0, 0, 0, 0, 0, 0, 0] + Array(text.utf8) }
        #expect(entry.key == [1] + text("test") + text("a"))
    }

    @Test("C120 W029 S128: the name of an entry is what sha256sum says of its key")
    func name() {
        // printf '\001\001\004\000\000\000\000\000\000\000test\001\001\000\000\000\000\000\000\000a' | sha256sum
        #expect(
            key("a").encoded == [1, 1, 4, 0, 0, 0, 0, 0, 0, 0] + "test".utf8 + [1, 1, 0, 0, 0, 0, 0, 0, 0] + "a".utf8)
        #expect(key("a").fileName == "8b365b5b45768f00dd69002673ecfdaf2dc160819afbdc81f9226727e525588d")
    }
}
