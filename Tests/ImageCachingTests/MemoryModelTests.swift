import Testing
import WebImageTesting

@testable import ImageCaching

/// Every operation of a memory cache, random, against the plain list.
@Suite struct MemoryModelTests {
    private final class Token: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private struct Walk {
        var random: SeededGenerator
        let clock = ManualClock()
        let cache: MemoryCache<Int, Token>
        var model: NaiveMemoryCache
        var held: [Int: Token] = [:]
        var step = 0

        init(seed: UInt64, weakLevel: WeakLevel<Token>?) {
            random = SeededGenerator(seed: seed)
            cache = MemoryCache(costLimit: 400, countLimit: 40, weakLevel: weakLevel, now: clock.now)
            model = NaiveMemoryCache(costLimit: 400, countLimit: 40, hasWeakLevel: weakLevel != nil)
        }

        /// Does one random operation on both. Returns what it was if they do not agree.
        mutating func next() -> String? {
            step += 1
            let key = Int.random(in: 0..<96, using: &random)
            switch Int.random(in: 0..<1_000, using: &random) {
            case 0..<450:
                let found = cache.value(forKey: key)
                if let found, Bool.random(using: &random) { held[found.number] = found }
                guard found?.number == model.value(key) else { return "value" }
            case 450..<480: guard cache.contains(key) == model.contains(key) else { return "contains" }
            case 480..<750: return insert(key)
            case 750..<800: guard cache.removeValue(forKey: key)?.number == model.remove(key) else { return "remove" }
            case 800..<900: if let any = held.keys.randomElement(using: &random) { held[any] = nil }
            case 900..<985: advance()
            default: changeLimits()
            }
            model.held = Set(held.keys)
            return difference
        }

        private mutating func insert(_ key: Int) -> String? {
            let cost = Int.random(in: 0..<30, using: &random) * (step.isMultiple(of: 37) ? 40 : 1)
            let lifetime = step.isMultiple(of: 3) ? Int64.random(in: -1...400, using: &random) : nil
            let token = Token(step)
            if Int.random(in: 0..<4, using: &random) == 0 { held[step] = token }
            model.held = Set(held.keys)
            let kept = cache.insert(
                token, forKey: key, cost: cost, lifetime: lifetime.map { Duration.nanoseconds($0) })
            let expected = model.insert(step, key, cost: cost, deadline: lifetime.map { model.now + $0 } ?? .max)
            return kept == expected ? difference : "insert"
        }

        private mutating func advance() {
            let time = Int64.random(in: 0...20, using: &random)
            clock.advance(by: .nanoseconds(time))
            model.now += time
        }

        private mutating func changeLimits() {
            switch Int.random(in: 0..<22, using: &random) {
            case 20..<22:
                let remainder = Int.random(in: 0..<5, using: &random)
                cache.removeAll { key, _ in key % 5 == remainder }
                model.removeAll { key in key % 5 == remainder }
            case 0:
                cache.removeAll()
                model.removeAll()
            case 1..<4:
                cache.removeExpired()
                model.removeExpired()
            case 4..<10:
                let cost = Int.random(in: 0..<500, using: &random)
                cache.trim(toCost: cost)
                model.trim(cost)
            case 10..<15:
                let limit = Int.random(in: 100..<600, using: &random)
                cache.costLimit = limit
                model.setCostLimit(limit)
            default:
                let limit = Bool.random(using: &random) ? nil : Int.random(in: 0..<60, using: &random)
                cache.countLimit = limit
                model.setCountLimit(limit)
            }
        }

        private var difference: String? {
            let statistics = cache.statistics
            guard (statistics.count, statistics.cost) == (model.entries.count, model.totalCost) else { return "sums" }
            guard (cache.costLimit, cache.countLimit ?? -1) == (model.costLimit, model.countLimit ?? -1)
            else { return "limits" }
            guard
                (statistics.hits, statistics.misses, statistics.weakHits) == (model.hits, model.misses, model.weakHits)
            else { return "look-ups" }
            guard
                (statistics.insertions, statistics.evictions, statistics.expirations)
                    == (model.insertions, model.evictions, model.expirations)
            else { return "counters" }
            return statistics.weakCount <= model.weak.count ? nil : "weak entries"
        }
    }

    @Test(
        "S109 S110 S117 S118: 450,000 random operations with lifetimes, limits and a weak level agree with a plain list",
        arguments: [1, 2, 3] as [UInt64])
    func agreesWithModel(seed: UInt64) {
        var walk = Walk(seed: seed, weakLevel: .objects)
        for _ in 0..<150_000 {
            if let operation = walk.next() {
                Issue.record("\(operation) differs from the plain list in step \(walk.step)")
                return
            }
        }
        // The walk came everywhere.
        let statistics = walk.cache.statistics
        for count in [statistics.hits, statistics.misses, statistics.insertions, statistics.evictions] {
            #expect(count > 5_000)
        }
        #expect(statistics.weakHits > 500)
        #expect(statistics.expirations > 1_000)
    }

    @Test("S119: without a weak level nothing is found again that was pushed out", arguments: [4] as [UInt64])
    func withoutWeakLevel(seed: UInt64) {
        var walk = Walk(seed: seed, weakLevel: nil)
        for _ in 0..<50_000 {
            if let operation = walk.next() {
                Issue.record("\(operation) differs from the plain list in step \(walk.step)")
                return
            }
        }
        #expect(walk.cache.statistics.weakHits == 0)
        #expect(walk.cache.statistics.evictions > 1_000)
    }
}
