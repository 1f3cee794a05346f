import Foundation
import Testing
import WebImageTesting

@testable import ImageCaching

@Suite struct DiskOrderTests {
    /// Ranks by Zipf's law: rank n comes n times more rarely than the first.
    private struct Zipf {
        private let sums: [Double]

        init(_ count: Int, exponent: Double) {
            var sum = 0.0
            sums = (1...count).map { rank in
                sum += 1 / pow(Double(rank), exponent)
                return sum
            }
        }

        func next(using random: inout SeededGenerator) -> Int {
            let wanted = Double(random.next() >> 11) / Double(1 << 53) * (sums.last ?? 0)
            var (low, high) = (0, sums.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] < wanted { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// Exactly the least recently used go, one at a time.
    private struct ExactLRU {
        let limit: Int
        private var lastUse: [Int: Int] = [:]
        private var order: [Int: Int] = [:]
        private var clock = 0
        private var oldest = 0

        init(limit: Int) { self.limit = limit }

        mutating func use(_ number: Int) -> Bool {
            clock += 1
            let isHit = lastUse[number] != nil
            if let old = lastUse.updateValue(clock, forKey: number) { order[old] = nil }
            order[clock] = number
            while lastUse.count > limit {
                oldest += 1
                if let number = order.removeValue(forKey: oldest) { lastUse[number] = nil }
            }
            return isHit
        }
    }

    @Test("S147 C113 C125 W030 W031: as many hits as an exact LRU has, to 2 %, over restarts", arguments: [0.8, 1.0])
    func hitRatio(exponent: Double) throws {
        let fixture = DiskFixture()
        let limit = 400
        var cache = fixture.cache { $0.byteLimit = limit * 4_096 }
        var exact = ExactLRU(limit: limit)
        let zipf = Zipf(2_000, exponent: exponent)
        var random = SeededGenerator(seed: 3)
        var hits = 0, exactHits = 0
        let body = payload(100)
        for step in 0..<8_000 {
            if step % 2_000 == 1_999 { cache = fixture.cache { $0.byteLimit = limit * 4_096 } }
            // Pictures are asked for every few seconds: uses within a minute are one to the file's time.
            fixture.advance(7)
            let number = zipf.next(using: &random)
            if exact.use(number) { exactHits += 1 }
            if try cache.entry(for: key("\(number)")) != nil {
                hits += 1
            } else {
                try cache.store(body, for: key("\(number)"))
            }
        }
        #expect(exactHits > 2_000)
        #expect(Double(hits) >= 0.98 * Double(exactHits), "\(hits) of \(exactHits)")
    }

    @Test("An entry of another version is no entry, and its place is free", arguments: [0, 2, 255] as [UInt32])
    func otherVersions(version: UInt32) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(100), for: key("a"))
        let file = fixture.file(of: key("a"))
        var bytes = DiskFixture.read(file)
        let place = bytes.count - EntryTrailer.footerSize + 32
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: version >> (8 * UInt32(index))) }
        let sum = bytes.dropLast(8).withUnsafeBytes { EntryTrailer.checksum(of: $0) }
        for index in 0..<8 { bytes[bytes.count - 8 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt64(index))) }
        DiskFixture.write(bytes, to: file)
        #expect(try cache.entry(for: key("a")) == nil)
        try cache.store(payload(200), for: key("a"))
        #expect(try cache.entry(for: key("a"))?.payload == payload(200))
        #expect(cache.statistics().entries == 1)
    }

    @Test(
        "S129 C120 W029: whatever a key holds, its file stays in the cache's folder",
        arguments: [
            "", "\0", "%00", "..", "../../../etc/passwd", "/etc/passwd", "a/b\\c:d", "👩‍👩‍👧‍👦", "e\u{301}", "\u{e9}",
            String(repeating: "x", count: 8_192), "CON", ".", "~", "-rf",
        ])
    func hostileKeys(text: String) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(100), for: key(text))
        try cache.store(payload(50), for: key("other"))
        #expect(try cache.entry(for: key(text))?.payload == payload(100))
        #expect(DiskFixture.names(in: fixture.root) == ["deep"])
        #expect(DiskFixture.names(in: fixture.path) == ["v1"])
        #expect(key(text).fileName.utf8.count == 64 && key(text).fileName.allSatisfy(\.isHexDigit))
        try cache.remove(key(text))
        #expect(try cache.entry(for: key(text)) == nil)
        #expect(try cache.entry(for: key("other"))?.payload == payload(50))
    }
}
