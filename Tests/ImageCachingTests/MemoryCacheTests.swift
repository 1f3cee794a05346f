import Synchronization
import Testing
import WebImageTesting

@testable import ImageCaching

@Suite struct MemoryCacheTests {
    @Test("S109: set, get, replace, remove")
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

    @Test("S110, C112: limits act at once, a count limit too")
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

    @Test("Many threads: the costs never exceed the limit and values fit their keys")
    func threads() async {
        let cache = MemoryCache<Int, Int>(costLimit: 500)
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    var wrong = 0
                    for _ in 0..<50_000 {
                        let key = Int.random(in: 0..<200, using: &random)
                        if let value = cache.value(forKey: key), value != key { wrong += 1 }
                        cache.insert(key, forKey: key, cost: key % 20)
                        if cache.totalCost > 500 { wrong += 1 }
                        if key.isMultiple(of: 50) { cache.removeValue(forKey: key) }
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
