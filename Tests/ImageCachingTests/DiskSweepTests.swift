import ByteBuffers
import Testing

@testable import ImageCaching

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite struct DiskSweepTests {
    private func stored(_ cache: DiskCache, _ numbers: Range<Int>) throws -> [Int] {
        var keys: Set<[UInt8]> = []
        try cache.forEachEntry {
            keys.insert($0.key)
            return true
        }
        return numbers.filter { keys.contains(key("\($0)").encoded) }
    }

    @Test(
        "P12 W030 W031 S144 S145 S148: the limit holds after every store; the least recently used go, down to the mark")
    func limit() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache {
            $0.byteLimit = 20 * 4_096
            $0.lowWaterShare = 0.5
        }
        for number in 0..<20 {
            try cache.store(payload(100), for: key("\(number)"))
            fixture.advance(61)
        }
        for number in [3, 0, 7] { #expect(try cache.entry(for: key("\(number)")) != nil) }
        #expect(cache.statistics().evicted == 0)
        fixture.advance(61)
        try cache.store(payload(100), for: key("20"))
        #expect(try stored(cache, 0..<21) == [0, 3, 7, 14, 15, 16, 17, 18, 19, 20])
        #expect((cache.statistics().evicted, cache.statistics().bytes) == (11, 10 * 4_096))
    }

    @Test("C097: sweeping and removing all tell of every entry once")
    func walks() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache { $0.maximumAge = .seconds(100) }
        for number in 0..<30 {
            try cache.store(payload(5_000), for: key("\(number)"))
            if number == 9 { fixture.advance(100) }
        }
        var seen = 0
        let swept = try cache.sweep { seen += 1 }
        #expect((seen, swept.expired) == (30, 10))
        seen = 0
        let removed = try cache.removeAll { seen += 1 }
        #expect((seen, removed) == (20, RemovalReport(entries: 20, bytes: 20 * 8_192)))
        #expect(try cache.removeAll() == RemovalReport())
    }

    @Test("P12: 3,000 stores never leave more than the limit, in steps over some shards too")
    func manyStores() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache { $0.byteLimit = 1_500 * 4_096 }
        for number in 0..<3_000 {
            try cache.store(payload(10), for: key("\(number)"))
            guard cache.statistics().bytes <= 1_500 * 4_096 else {
                Issue.record("above the limit")
                return
            }
        }
        let bytes = cache.statistics().bytes
        #expect(bytes > 1_300 * 4_096)
        var count = 0
        try cache.forEachEntry { _ in
            count += 1
            return true
        }
        #expect(bytes == count * 4_096)
    }

    @Test("C111: a lower limit acts at the next sweep; wrong counters are put right")
    func sweepCorrects() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        for number in 0..<10 { try cache.store(payload(10), for: key("\(number)")) }
        for number in 0..<4 { unlink(fixture.file(of: key("\(number)"))) }
        #expect(cache.statistics().entries == 10)
        try cache.sweep()
        #expect((cache.statistics().entries, cache.statistics().bytes) == (6, 6 * 4_096))
        let report = try fixture.cache {
            $0.byteLimit = 4 * 4_096
            $0.lowWaterShare = 1
        }.sweep()
        #expect((report.evicted, report.freedBytes) == (2, 2 * 4_096))
    }

    @Test("P34: temporary files without a write for an hour are swept, younger ones are not")
    func orphans() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        let old = try cache.makeWriter(for: key("old"))
        let name = try #require(fixture.temporaries.first)
        func stamp(_ name: String, age: Int) {
            let time = timespec(tv_sec: Int(fixture.now / 1_000_000_000) - age, tv_nsec: 0)
            utimensat(AT_FDCWD, "\(fixture.path)/v1/tmp/\(name)", [time, time], 0)
        }
        stamp(name, age: 3_599)
        #expect(try cache.sweep().orphans == 0)
        stamp(name, age: 3_600)
        #expect(try cache.sweep().orphans == 1)
        #expect(fixture.temporaries.isEmpty)
        #expect(throws: CacheError.self) { try old.commit() }
        #expect(try cache.entry(for: key("old")) == nil)
    }
}
