import Synchronization
import Testing
import WebImageTesting

@testable import ImageCaching

@Suite struct MemoryCacheTests {
    @Test("S109 C117 C088: set, get, replace, remove")
    func basics() {
        let cache = MemoryCache<String, Int>(costLimit: 10)
        #expect(cache.insert(1, forKey: "a", cost: 4))
        #expect(cache.insert(2, forKey: "b", cost: 4))
        #expect(cache.insert(3, forKey: "a", cost: 6))
        #expect(cache.value(forKey: "a") == 3)
        #expect(cache.value(forKey: "c") == nil)
        #expect(cache.totalCost == 10)
        #expect(cache.removeValue(forKey: "a") == 3)
        #expect(cache.count == 1)
        cache.removeAll()
        #expect((cache.count, cache.totalCost, cache.costLimit) == (0, 0, 10))
        #expect(cache.value(forKey: "b") == nil)
    }

    @Test("P22: a value above the limit is not kept and leaves nothing stale")
    func tooCostly() {
        let cache = MemoryCache<String, Int>(costLimit: 10)
        cache.insert(1, forKey: "a", cost: 1)
        cache.insert(2, forKey: "b", cost: 1)
        #expect(!cache.insert(3, forKey: "a", cost: 11))
        #expect(cache.value(forKey: "a") == nil)
        #expect(cache.value(forKey: "b") == 2)
        #expect(!cache.insert(4, forKey: "c", cost: .max))
    }

    @Test("S110 C112 S114 C080: limits act at once, a count limit too")
    func limits() {
        let cache = MemoryCache<Int, Int>(costLimit: 100, countLimit: 3)
        for key in 0..<5 { cache.insert(key, forKey: key, cost: 10) }
        #expect(cache.count == 3)
        cache.costLimit = 15
        #expect((cache.count, cache.totalCost) == (1, 10))
        cache.costLimit = -1
        #expect((cache.count, cache.costLimit) == (0, 0))
        #expect(cache.insert(1, forKey: 1, cost: -5))
        #expect(cache.totalCost == 0)
        cache.costLimit = .max
        cache.insert(2, forKey: 2, cost: 1 << 40)
        cache.trim(toCost: 5)
        #expect(cache.totalCost == 0)
    }

    /// Looks into the cache while it is released; under the cache's lock this would never return.
    private final class Curious: Sendable {
        private let cache: MemoryCache<Int, Curious>
        private let seen: Atomic<Int>.Reference

        init(_ cache: MemoryCache<Int, Curious>, _ seen: Atomic<Int>.Reference) {
            self.cache = cache
            self.seen = seen
        }

        deinit {
            _ = cache.count
            seen.value.add(1, ordering: .relaxed)
        }
    }

    @Test("Values are released outside the lock, however they go")
    func releaseOutsideLock() {
        let seen = Atomic<Int>.Reference()
        let cache = MemoryCache<Int, Curious>(costLimit: 3)
        for key in 0..<5 { cache.insert(Curious(cache, seen), forKey: key, cost: 1) }
        #expect(seen.count == 2)
        cache.insert(Curious(cache, seen), forKey: 4, cost: 1)
        cache.trim(toCost: 2)
        cache.costLimit = 1
        cache.removeAll()
        #expect(seen.count == 6)
    }

    @Test("C112: the count limit can be changed at any time, and lifted")
    func countLimit() {
        let cache = MemoryCache<Int, Int>(costLimit: 100)
        #expect(cache.countLimit == nil)
        for key in 0..<10 { cache.insert(key, forKey: key, cost: 1) }
        cache.countLimit = 4
        #expect((0..<10).filter(cache.contains) == [6, 7, 8, 9])
        cache.insert(10, forKey: 10, cost: 1)
        #expect(cache.count == 4)
        cache.countLimit = -3
        #expect((cache.count, cache.countLimit) == (0, 0))
        #expect(!cache.insert(1, forKey: 1, cost: 0))
        cache.countLimit = nil
        #expect(cache.insert(1, forKey: 1, cost: 0))
    }

    @Test("What has outlived its lifetime is a miss and gone; without one it stays")
    func lifetime() {
        let clock = ManualClock()
        let cache = MemoryCache<String, Int>(costLimit: 10, now: clock.now)
        cache.insert(1, forKey: "short", cost: 1, lifetime: .seconds(2))
        cache.insert(2, forKey: "long", cost: 1, lifetime: .seconds(Int64.max))
        cache.insert(3, forKey: "ever", cost: 1)
        clock.advance(by: .milliseconds(1_999))
        #expect(cache.value(forKey: "short") == 1)
        clock.advance(by: .milliseconds(1))
        #expect(!cache.contains("short"))
        #expect(cache.count == 3)
        #expect(cache.value(forKey: "short") == nil)
        #expect((cache.count, cache.totalCost) == (2, 2))
        // A new value under the same key has a new lifetime.
        cache.insert(4, forKey: "short", cost: 1, lifetime: .seconds(2))
        clock.advance(by: .seconds(1))
        cache.insert(5, forKey: "short", cost: 1)
        clock.advance(by: .seconds(1_000_000))
        #expect(cache.value(forKey: "short") == 5)
        #expect((cache.value(forKey: "long"), cache.value(forKey: "ever")) == (2, 3))
        #expect(!cache.insert(6, forKey: "short", cost: 1, lifetime: .zero))
        #expect(cache.value(forKey: "short") == nil)
    }

    @Test("What is over makes room first, though it was just used, and can be taken out at once")
    func expiredMakesRoom() {
        let clock = ManualClock()
        let cache = MemoryCache<Int, Int>(costLimit: 4, now: clock.now)
        for key in 0..<4 { cache.insert(key, forKey: key, cost: 1, lifetime: key < 2 ? .seconds(1) : nil) }
        _ = cache.value(forKey: 0)
        clock.advance(by: .seconds(1))
        cache.insert(4, forKey: 4, cost: 1)
        #expect((0..<5).filter(cache.contains) == [2, 3, 4])
        cache.removeExpired()
        #expect(cache.count == 3)
        let statistics = cache.statistics
        #expect((statistics.expirations, statistics.evictions) == (2, 0))
    }

    @Test("W036: the statistics count what happened, and go on after everything was removed")
    func statistics() {
        let cache = MemoryCache<Int, Int>(costLimit: 3)
        #expect(cache.statistics == MemoryCacheStatistics())
        #expect(cache.statistics.hitRatio == nil)
        for key in 0..<4 { cache.insert(key, forKey: key, cost: 1) }
        cache.insert(9, forKey: 3, cost: 2)
        cache.insert(5, forKey: 5, cost: 4)
        _ = (cache.value(forKey: 3), cache.value(forKey: 3), cache.value(forKey: 0), cache.contains(0))
        var expected = MemoryCacheStatistics()
        (expected.hits, expected.misses) = (2, 1)
        (expected.insertions, expected.evictions) = (5, 2)
        (expected.count, expected.cost) = (2, 3)
        #expect(cache.statistics == expected)
        #expect(cache.statistics.hitRatio == 2.0 / 3.0)
        cache.removeAll()
        (expected.count, expected.cost) = (0, 0)
        #expect(cache.statistics == expected)
    }

    private final class Number: Sendable {
        let value: Int
        init(_ value: Int) { self.value = value }
    }

    @Test("S109 S120: many threads: the costs never exceed the limit and values fit their keys")
    func threads() async {
        let cache = MemoryCache<Int, Number>(costLimit: 500, weakLevel: .objects)
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    var wrong = 0
                    var held: [Number?] = Array(repeating: nil, count: 20)
                    for step in 0..<50_000 {
                        let key = Int.random(in: 0..<200, using: &random)
                        if let number = cache.value(forKey: key) {
                            if number.value != key { wrong += 1 }
                            held[step % 20] = number
                        }
                        let lifetime = key.isMultiple(of: 7) ? Duration.microseconds(1) : nil
                        cache.insert(Number(key), forKey: key, cost: key % 20, lifetime: lifetime)
                        if cache.totalCost > 500 { wrong += 1 }
                        if key.isMultiple(of: 50) { cache.removeValue(forKey: key) }
                        if step.isMultiple(of: 1_000) { cache.trim(toCost: 100) }
                        if step.isMultiple(of: 3_000) { cache.countLimit = step.isMultiple(of: 6_000) ? 40 : nil }
                    }
                    return wrong
                }
            }
            for await wrong in group { #expect(wrong == 0) }
        }
    }
}

extension Atomic<Int> {
    /// An atomic counter that several owners share.
    final class Reference: Sendable {
        let value = Atomic<Int>(0)
        var count: Int { value.load(ordering: .relaxed) }
    }
}
