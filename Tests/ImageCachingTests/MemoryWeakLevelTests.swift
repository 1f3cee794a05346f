import Testing
import WebImageTesting

@testable import ImageCaching

@Suite struct MemoryWeakLevelTests {
    private final class Picture: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    @Test("S117 S118: what made room is found again while somebody holds it, and is back in the strong level")
    func revival() {
        let cache = MemoryCache<String, Picture>(costLimit: 10, weakLevel: .objects)
        let first = Picture("first")
        cache.insert(first, forKey: "first", cost: 6)
        cache.insert(Picture("second"), forKey: "second", cost: 6)
        #expect((cache.count, cache.totalCost) == (1, 6))
        #expect(cache.contains("first"))
        #expect(cache.value(forKey: "first") === first)
        // With its cost, in the place of the second, which nobody holds.
        #expect((cache.count, cache.totalCost) == (1, 6))
        #expect(cache.value(forKey: "second") == nil)
        #expect(cache.value(forKey: "first") === first)
        let statistics = cache.statistics
        #expect((statistics.hits, statistics.weakHits, statistics.misses) == (2, 1, 1))
        #expect((statistics.insertions, statistics.evictions, statistics.weakCount) == (2, 2, 0))
    }

    @Test("S117: what is too dear for the strong level is found while somebody holds it")
    func tooDear() {
        let cache = MemoryCache<Int, Picture>(costLimit: 10, weakLevel: .objects)
        var large: Picture? = Picture("large")
        #expect(!cache.insert(large ?? Picture(""), forKey: 1, cost: 11))
        for _ in 0..<2 { #expect(cache.value(forKey: 1) === large) }
        #expect((cache.count, cache.totalCost, cache.statistics.weakCount) == (0, 0, 1))
        large = nil
        #expect(cache.value(forKey: 1) == nil)
        #expect(cache.statistics.weakCount == 0)
    }

    @Test("S118 C118: removal and removal of all empty both levels, shedding only the strong one")
    func removal() {
        let cache = MemoryCache<Int, Picture>(costLimit: 10, weakLevel: .objects)
        let pictures = (0..<4).map { Picture("\($0)") }
        func shed() {
            for (key, picture) in pictures.enumerated() { cache.insert(picture, forKey: key, cost: 1) }
            cache.trim(toCost: 0)
        }
        shed()
        #expect((cache.count, cache.statistics.weakCount) == (0, 4))
        #expect(cache.removeValue(forKey: 0) === pictures[0])
        #expect(cache.value(forKey: 0) == nil)
        #expect(cache.value(forKey: 1) === pictures[1])
        #expect(cache.removeValue(forKey: 1) === pictures[1])
        #expect(!cache.contains(1))
        cache.removeAll()
        #expect((0..<4).allSatisfy { cache.value(forKey: $0) == nil })
        shed()
        // A new value is what counts from now on, whoever still holds the old one.
        cache.insert(Picture("new"), forKey: 2, cost: 1)
        cache.trim(toCost: 0)
        #expect(cache.value(forKey: 2) == nil)
    }

    @Test("A lifetime goes on in the weak level")
    func lifetime() {
        let clock = ManualClock()
        let cache = MemoryCache<Int, Picture>(costLimit: 10, weakLevel: .objects, now: clock.now)
        let picture = Picture("held")
        cache.insert(picture, forKey: 1, cost: 1, lifetime: .seconds(3))
        cache.trim(toCost: 0)
        clock.advance(by: .seconds(2))
        #expect(cache.value(forKey: 1) === picture)
        cache.trim(toCost: 0)
        clock.advance(by: .seconds(1))
        #expect(cache.value(forKey: 1) == nil)
        #expect(cache.statistics.expirations == 1)
    }

    @Test("S121: of a hundred thousand that passed through and are gone, hardly any is remembered")
    func dead() {
        let cache = MemoryCache<Int, Picture>(costLimit: 10, weakLevel: .objects)
        var held: [Picture] = []
        for key in 0..<100_000 {
            let picture = Picture("\(key)")
            if key.isMultiple(of: 1_000) { held.append(picture) }
            cache.insert(picture, forKey: key, cost: 1)
            #expect(cache.statistics.weakCount <= 3 * held.count + 4)
        }
        for key in stride(from: 0, to: 99_000, by: 1_000) { #expect(cache.contains(key)) }
        held = []
        cache.removeExpired()
        #expect(cache.statistics.weakCount == 0)
    }

    @Test("A value that is no object is put together again from one")
    func composed() {
        struct Framed: Sendable {
            let picture: Picture
            let frame: Int
        }
        let level = WeakLevel<Framed> { framed in
            let way = WeakLevel<Picture>.objects.weaken(framed.picture)
            return { [frame = framed.frame] in way().map { Framed(picture: $0, frame: frame) } }
        }
        let cache = MemoryCache<Int, Framed>(costLimit: 0, weakLevel: level)
        let picture = Picture("held")
        cache.insert(Framed(picture: picture, frame: 7), forKey: 1, cost: 1)
        #expect(cache.value(forKey: 1)?.picture === picture)
        #expect(cache.value(forKey: 1)?.frame == 7)
    }
}
