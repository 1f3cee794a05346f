import ByteBuffers
import Testing
import WebImageTesting

@testable import ImageCaching

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite struct AttachmentTests {
    @Test(
        "C087 C123 W034: data of a program's own is kept with the entry, changed and removed without touching the payload"
    )
    func lifecycle() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache { $0.maximumAge = .seconds(100) }
        #expect(try !cache.updateMetadata(for: key("a")) { $0.attachments["hash"] = [1] })
        try cache.store(payload(5_000), metadata: ["ETag": "x"], for: key("a"))
        fixture.advance(60)
        #expect(try cache.updateMetadata(for: key("a")) { $0.attachments["hash"] = [0, 255, 1] })
        let entry = try #require(try cache.entry(for: key("a")))
        #expect(entry.metadata.attachments == ["hash": [0, 255, 1]])
        #expect(entry.metadata.fields == ["ETag": "x"])
        #expect(entry.payload == payload(5_000))
        #expect(entry.storedAt == fixture.now - 60_000_000_000)
        #expect(try cache.updateMetadata(for: key("a")) { $0.attachments = [:] })
        #expect(try cache.entry(for: key("a"))?.metadata == ["ETag": "x"])
        #expect((cache.statistics().entries, cache.statistics().bytes) == (1, 8_192))
        #expect(fixture.temporaries.isEmpty)
        // A change does not make it younger.
        fixture.advance(40)
        #expect(try cache.entry(for: key("a")) == nil)
    }

    @Test("C123: there is no limit of a file system's attributes, but one of our own, said by an error")
    func size() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(10), for: key("a"))
        let large = payload(1_000_000).array
        #expect(try cache.updateMetadata(for: key("a")) { $0.attachments["large"] = large })
        #expect(try cache.entry(for: key("a"))?.metadata.attachments["large"] == large)
        let error = #expect(throws: CacheError.self) {
            try cache.updateMetadata(for: key("a")) { $0.attachments["more"] = large }
        }
        #expect(error?.code == .tooLarge)
        #expect(try cache.entry(for: key("a"))?.metadata.attachments.keys.sorted() == ["large"])
    }

    @Test("C087: a failing write leaves the entry as it was", arguments: [EIO, ENOSPC, EACCES])
    func failure(code: Int32) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(10), metadata: ["a": "b"], for: key("a"))
        for call in [FaultyFileSystem.Call.create, .write, .touch, .rename] {
            fixture.files.fail(call, code)
            #expect(throws: CacheError.self) { try cache.updateMetadata(for: key("a")) { $0["c"] = "d" } }
            fixture.files.heal()
            #expect(try cache.entry(for: key("a"))?.metadata == ["a": "b"])
        }
        #expect(fixture.temporaries.isEmpty)
    }

    @Test("Any texts and bytes come back; bytes that no metadata was written as are refused")
    func encoding() {
        var random = SeededGenerator(seed: 5)
        func bytes() -> [UInt8] { (0..<Int(random.next() % 9)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        var refused = 0
        for _ in 0..<20_000 {
            var metadata = EntryMetadata()
            for _ in 0..<random.next() % 4 {
                metadata["\(random.next() % 5)"] = String(decoding: bytes(), as: UTF8.self)
            }
            for _ in 0..<random.next() % 4 { metadata.attachments["\(random.next() % 5)"] = bytes() }
            var encoded = metadata.encoded
            #expect(encoded.withUnsafeBytes { EntryMetadata(encoded: $0) } == metadata)
            guard !encoded.isEmpty else { continue }
            encoded[Int(random.next() % UInt64(encoded.count))] ^= 1 << UInt8(random.next() % 8)
            if encoded.withUnsafeBytes({ EntryMetadata(encoded: $0) }) == nil { refused += 1 }
        }
        #expect(refused > 1_000)
    }
}
