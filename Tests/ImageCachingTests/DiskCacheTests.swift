import ByteBuffers
import Dispatch
import Testing

@testable import ImageCaching

@Suite struct DiskCacheTests {
    @Test("P33 C088 C090: the exact bytes and the metadata come back", arguments: [0, 1, 4_095, 300_000])
    func roundTrip(count: Int) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        let body = payload(count)
        try cache.store(body, metadata: ["ETag": "\"a\"", "": "empty name"], for: key("a"))
        let entry = try #require(try cache.entry(for: key("a")))
        #expect(entry.payload == body)
        #expect(entry.metadata == ["ETag": "\"a\"", "": "empty name"])
        #expect(entry.storedAt == fixture.now)
        #expect(try cache.entry(for: key("b")) == nil)
        #expect(fixture.temporaries.isEmpty)
        let statistics = cache.statistics()
        #expect((statistics.entries, statistics.hits, statistics.misses, statistics.stores) == (1, 1, 1, 1))
        #expect(fixture.warnings.isEmpty)
    }

    @Test("S122: the payload stands first in the entry's file, which only its owner may read")
    func payloadFirst() throws {
        let fixture = DiskFixture()
        try fixture.cache().store(payload(100), for: key("a"))
        #expect(Array(DiskFixture.read(fixture.file(of: key("a"))).prefix(100)) == payload(100).array)
    }

    @Test("C126 C098: the counters are what is on the disk, also for a second cache on the folder")
    func counters() throws {
        let fixture = DiskFixture()
        let (one, two) = (fixture.cache(), fixture.cache())
        for number in 0..<20 { try one.store(payload(5_000), for: key("\(number)")) }
        try two.store(payload(100), for: key("3"))
        try two.remove(key("4"))
        try two.remove(key("none"))
        #expect((one.statistics().entries, one.statistics().bytes) == (19, 18 * 8_192 + 4_096))
        #expect(two.statistics().bytes == one.statistics().bytes)
        try one.removeAll()
        #expect((two.statistics().entries, two.statistics().bytes) == (0, 0))
    }

    @Test("C097 C128: everything can be removed, and the folder stays and goes on")
    func removingAll() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        for number in 0..<20 { try cache.store(payload(10), for: key("\(number)")) }
        let marks = DiskFixture.names(in: fixture.path + "/v1").count
        try cache.removeAll()
        for number in 0..<20 { #expect(try cache.entry(for: key("\(number)")) == nil) }
        #expect(DiskFixture.names(in: fixture.path + "/v1").count == marks)
        try cache.store(payload(10), for: key("3"))
        #expect(try cache.entry(for: key("3"))?.payload == payload(10))
    }

    @Test("S124 S125 C079: making a cache makes no folder, and caches in two folders share nothing")
    func folders() throws {
        let first = DiskFixture(), second = DiskFixture()
        let (one, two) = (first.cache(), second.cache())
        #expect(DiskFixture.names(in: first.root).isEmpty)
        #expect(one.configuration.directory == first.path)
        try one.store(payload(10), for: key("a"))
        #expect(DiskFixture.names(in: first.path) == ["v1"] && DiskFixture.names(in: second.root).isEmpty)
        #expect(try two.entry(for: key("a")) == nil)
        try two.removeAll()
        #expect(try one.entry(for: key("a"))?.payload == payload(10))
    }

    @Test("Missing or damaged counters are counted again")
    func rebuiltCounters() throws {
        let fixture = DiskFixture()
        for number in 0..<20 { try fixture.cache().store(payload(10), for: key("\(number)")) }
        for damage in [[], [1, 2, 3], [UInt8](repeating: 7, count: UsageCounter.size)] as [[UInt8]] {
            DiskFixture.removeTree(fixture.path + "/v1/usage")
            if !damage.isEmpty { DiskFixture.write(damage, to: fixture.path + "/v1/usage") }
            #expect(fixture.cache().statistics().entries == 20)
        }
    }

    @Test("Counters cut short or written over in place are measured again", arguments: [0, 5_000, UsageCounter.size])
    func damagedInPlace(size: Int) throws {
        let fixture = DiskFixture()
        let (one, two) = (fixture.cache(), fixture.cache())
        for number in 0..<20 { try one.store(payload(10), for: key("\(number)")) }
        #expect(two.statistics().entries == 20)
        DiskFixture.write([UInt8](repeating: 0, count: size), to: fixture.path + "/v1/usage")
        try one.remove(key("0"))
        try one.store(payload(10), for: key("20"))
        try two.sweep()
        #expect((one.statistics().entries, two.statistics().entries) == (20, 20))
        #expect(one.statistics().bytes == two.statistics().bytes)
    }

    @Test("C126: counts are exact when many threads and instances count at once")
    func concurrentCounts() throws {
        let fixture = DiskFixture()
        let caches = [fixture.cache(), fixture.cache(), fixture.cache()]
        DispatchQueue.concurrentPerform(iterations: 120) { number in
            try? caches[number % 3].store(payload(10), for: key("\(number)"))
        }
        #expect(caches.map { $0.statistics().entries } == [120, 120, 120])
        #expect(caches[0].statistics().bytes == 120 * 4_096)
    }

    @Test("P10 W035: a flipped bit anywhere is found, the entry dropped", arguments: [0, 700])
    func bitFlips(count: Int) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(count), metadata: ["a": "b"], for: key("a"))
        let file = fixture.file(of: key("a"))
        let good = DiskFixture.read(file)
        for index in stride(from: 0, to: good.count, by: 3) {
            var bad = good
            bad[index] ^= 1 << UInt8(index % 8)
            DiskFixture.write(bad, to: file)
            #expect(try cache.entry(for: key("a")) == nil, "byte \(index)")
            #expect(DiskFixture.read(file).isEmpty)
        }
        #expect(cache.statistics().corrupted == (good.count + 2) / 3)
    }

    @Test("P10 P34: a file cut short, empty or grown is no entry")
    func truncation() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(4_000), for: key("a"))
        let file = fixture.file(of: key("a"))
        let good = DiskFixture.read(file)
        let cuts = (0..<16).map { Array(good.prefix(good.count * $0 / 16)) } + [Array(good.dropLast()), good + [0]]
        for bad in cuts {
            DiskFixture.write(bad, to: file)
            #expect(try cache.entry(for: key("a")) == nil)
            #expect(
                !DiskFixture.names(in: "\(fixture.path)/v1/\(key("a").fileName.prefix(2))").contains(key("a").fileName))
        }
        #expect(cache.statistics().corrupted == 18)
    }

    @Test("W029: an entry of another key under this name is not given out")
    func foreignKey() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(10), for: key("a"))
        try cache.store(payload(20), for: key("b"))
        DiskFixture.write(DiskFixture.read(fixture.file(of: key("a"))), to: fixture.file(of: key("b")))
        #expect(try cache.entry(for: key("b")) == nil)
        #expect(try cache.entry(for: key("a")) != nil)
    }

    @Test("S142 C110 C124 S144: an entry as old as the limit is expired, when read and when swept")
    func expiry() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache { $0.maximumAge = .seconds(100) }
        try cache.store(payload(10), for: key("a"))
        try cache.store(payload(10), for: key("b"))
        fixture.advance(99)
        #expect(try cache.entry(for: key("a")) != nil)
        fixture.advance(1)
        #expect(try cache.entry(for: key("a")) == nil)
        #expect(try cache.sweep().expired == 1)
        #expect((cache.statistics().entries, cache.statistics().expired) == (0, 2))
        try cache.store(payload(10), for: key("c"))
        #expect(try fixture.cache { $0.maximumAge = .zero }.entry(for: key("c")) == nil)
        try cache.store(payload(10), for: key("c"))
        fixture.advance(1 << 31)
        #expect(try fixture.cache { $0.maximumAge = nil }.entry(for: key("c")) != nil)
    }

    @Test("F36: after the clock was set back, entries stay usable, but not for ever")
    func clockSetBack() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache { $0.maximumAge = .seconds(1_000) }
        try cache.store(payload(10), for: key("a"))
        fixture.advance(-900)
        #expect(try cache.entry(for: key("a")) != nil)
        fixture.advance(-900)
        #expect(try cache.entry(for: key("a")) == nil)
    }

    @Test("S139 C109: pieces become one entry; without a commit nothing stays")
    func writer() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        let writer = try cache.makeWriter(for: key("a"))
        for piece in [payload(10), Bytes(), payload(20)] {
            try piece.withUnsafeBytes { bytes throws(CacheError) in try writer.append(bytes) }
        }
        #expect(try cache.entry(for: key("a")) == nil)
        try writer.commit(metadata: ["x": "y"])
        writer.abandon()
        #expect(try cache.entry(for: key("a"))?.payload.array == payload(10).array + payload(20).array)
        #expect(throws: CacheError.self) { try writer.commit() }
        do {
            _ = try cache.makeWriter(for: key("b"))
        }
        let abandoned = try cache.makeWriter(for: key("c"))
        #expect(fixture.temporaries.count == 1)
        abandoned.abandon()
        #expect(fixture.temporaries.isEmpty)
        #expect(throws: CacheError.self) { try abandoned.commit() }
        #expect(cache.statistics().entries == 1)
    }

    @Test("What is too large is refused without a warning, and nothing is left")
    func tooLarge() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache { $0.maximumEntryBytes = 1_000 }
        try cache.store(payload(1_000), for: key("a"))
        let error = #expect(throws: CacheError.self) { try cache.store(payload(1_001), for: key("b")) }
        #expect(error?.code == .tooLarge)
        let huge = EntryMetadata(["a": String(repeating: "x", count: 2 << 20)])
        #expect(throws: CacheError.self) { try cache.store(Bytes(), metadata: huge, for: key("b")) }
        #expect(fixture.temporaries.isEmpty && fixture.warnings.isEmpty)
        #expect(try fixture.cache { $0.maximumEntryBytes = 1 << 10 }.entry(for: key("a")) != nil)
    }

    @Test("C122 W032: a listing shows keys, sizes, metadata and times")
    func listing() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        let stored = fixture.now
        try cache.store(payload(70), metadata: ["t": "1"], for: key("a"))
        fixture.advance(59)
        _ = try cache.entry(for: key("a"))
        var all: [CacheEntrySummary] = []
        try cache.forEachEntry {
            all.append($0)
            return true
        }
        #expect(all.map(\.lastUsed) == [stored])
        fixture.advance(1)
        _ = try cache.entry(for: key("a"))
        all = []
        try cache.forEachEntry {
            all.append($0)
            return true
        }
        #expect(
            all == [
                CacheEntrySummary(
                    key: key("a").encoded, fileName: key("a").fileName, byteCount: 70, metadata: ["t": "1"],
                    storedAt: stored, lastUsed: fixture.now)
            ])
    }
}
