import ByteBuffers
import Testing
import WebImageTesting

@testable import ImageCaching

/// Reading a whole cache and comparing it with what was written.
@Suite struct DiskVerificationTests {
    private let fixture = DiskFixture()

    private func verify(_ cache: DiskCache, removes: Bool = true) throws -> (VerificationReport, [DamagedEntry]) {
        var damages: [DamagedEntry] = []
        var seen = 0
        let report = try cache.verify(removesDamaged: removes) { damaged in
            seen += 1
            if let damaged { damages.append(damaged) }
        }
        #expect(report.entries == seen && report.damaged == damages.count)
        return (report, damages)
    }

    @Test("W035: whole entries are whole, and stay as recent and as old as they were")
    func whole() throws {
        let cache = fixture.cache()
        for index in 0..<20 { try cache.store(payload(index * 500), metadata: ["n": "\(index)"], for: key("\(index)")) }
        fixture.advance(30 * 86_400)
        let before = try recency(cache)
        let (report, damages) = try verify(cache)
        #expect(report.entries == 20 && damages.isEmpty && report.removed == 0)
        #expect(try recency(cache) == before && before.count == 20)
    }

    private func recency(_ cache: DiskCache) throws -> [String: Int64] {
        var all: [String: Int64] = [:]
        try cache.forEachEntry { entry in
            all[entry.fileName] = entry.lastUsed
            return true
        }
        return all
    }

    @Test("W035: a flipped bit in any byte and a cut at any byte is found; removing changes the counts")
    func everyByte() throws {
        let cache = fixture.cache()
        try cache.store(payload(40), metadata: ["a": "b"], for: key("a"))
        try cache.store(payload(40), for: key("whole"))
        let path = fixture.file(of: key("a"))
        let original = DiskFixture.read(path)
        for index in 0..<original.count {
            for isCut in [false, true] {
                var bytes = original
                if isCut { bytes.removeSubrange(index...) } else { bytes[index] ^= 1 << UInt8(index % 8) }
                DiskFixture.write(bytes, to: path)
                let (report, damages) = try verify(cache, removes: false)
                #expect(report.damaged == 1 && report.removed == 0 && report.entries == 2)
                #expect(damages.first?.fileName == key("a").fileName && damages.first?.byteCount == bytes.count)
                #expect(!isCut || damages.first?.reason == .incomplete)
            }
        }
        let (report, damages) = try verify(cache)
        #expect(report.removed == 1 && damages.first?.wasRemoved == true)
        #expect(cache.statistics().entries == 1 && DiskFixture.read(path).isEmpty)
        #expect(try verify(cache).0.damaged == 0)
    }

    @Test("W029: a whole entry under another key's name is damage")
    func wrongName() throws {
        let cache = fixture.cache()
        try cache.store(payload(10), for: key("a"))
        try cache.store(payload(20), for: key("b"))
        DiskFixture.write(DiskFixture.read(fixture.file(of: key("a"))), to: fixture.file(of: key("b")))
        let (_, damages) = try verify(cache)
        #expect(damages.map(\.reason) == [.wrongName] && damages.map(\.fileName) == [key("b").fileName])
        #expect(try cache.entry(for: key("a")) != nil)
    }

    @Test("P34: what cannot be read is told and left alone")
    func unreadable() throws {
        let cache = fixture.cache()
        try cache.store(payload(10), for: key("a"))
        fixture.files.fail(.read, 5)
        let (report, damages) = try verify(cache)
        #expect(damages.map(\.reason) == [.unreadable] && report.removed == 0)
        fixture.files.heal()
        #expect(try cache.entry(for: key("a"))?.payload == payload(10))
    }

    @Test("W033: unwanted entries go, the others stay, and what was freed is counted")
    func removal() throws {
        let cache = fixture.cache()
        for index in 0..<10 { try cache.store(payload(5_000), metadata: ["n": "\(index % 2)"], for: key("\(index)")) }
        let report = try cache.removeEntries { $0.metadata["n"] == "1" }
        #expect(report == RemovalReport(entries: 5, bytes: 5 * 8_192))
        #expect(cache.statistics().entries == 5 && cache.statistics().bytes == 5 * 8_192)
        for index in 0..<10 { #expect(try (cache.entry(for: key("\(index)")) == nil) == (index % 2 == 1)) }
        #expect(try cache.removeEntries { _ in false } == RemovalReport())
    }
}
