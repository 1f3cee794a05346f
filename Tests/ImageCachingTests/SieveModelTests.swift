import Testing
import WebImageTesting

@testable import ImageCaching

@Suite struct SieveModelTests {
    private let clock = LifetimeClock(ManualClock().now)

    private typealias Gone = [Departed<Int, Int>]

    @Test("S109 S110: a million random operations agree with a plain list", arguments: [1, 2, 3, 4] as [UInt64])
    func agreesWithOracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let countLimit = seed.isMultiple(of: 2) ? 23 : 1_000
        var cache = SieveCache<Int, Int>(costLimit: 400, countLimit: countLimit)
        var oracle = NaiveMemoryCache(costLimit: 400, countLimit: countLimit)
        for step in 0..<250_000 {
            let key = Int.random(in: 0..<64, using: &random)
            var gone: Gone = []
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<55:
                let found = cache.find(key).flatMap { cache.use(slot: $0) }
                guard found == oracle.value(key) else { return record("value", step) }
            case 55..<90:
                let cost = Int.random(in: 0..<30, using: &random) * (step.isMultiple(of: 97) ? 40 : 1)
                let kept = cache.insert(step, forKey: key, cost: cost, clock: clock, departed: &gone)
                guard kept == oracle.insert(step, key, cost: cost) else { return record("insert", step) }
            case 90..<97:
                let removed = cache.find(key).flatMap { cache.remove(slot: $0, reason: .removed).value }
                guard removed == oracle.remove(key) else { return record("remove", step) }
            case 97:
                let target = Int.random(in: 0..<400, using: &random)
                cache.makeRoom(cost: target, count: countLimit, clock: clock, departed: &gone)
                oracle.trim(target)
            default:
                oracle.setCostLimit(Int.random(in: 100..<600, using: &random))
                cache.costLimit = oracle.costLimit
                cache.makeRoom(cost: oracle.costLimit, count: countLimit, clock: clock, departed: &gone)
            }
            guard cache.totalCost == oracle.totalCost, cache.count == oracle.entries.count
            else { return record("sums", step) }
            // The same ones are left, in the same order.
            guard !step.isMultiple(of: 50) || keys(of: cache) == oracle.entries.map(\.key)
            else { return record("order", step) }
        }
    }

    /// From the oldest to the newest.
    private func keys(of cache: SieveCache<Int, Int>) -> [Int] {
        var keys: [Int] = []
        var slot = cache.tail
        while slot != none {
            keys.append(cache.slots[Int(slot)].key)
            slot = cache.slots[Int(slot)].newer
        }
        return keys
    }

    private func record(_ operation: String, _ step: Int) {
        Issue.record("\(operation) differs from the plain list in step \(step)")
    }

    @Test("W036: what is in use survives a scan of ten times the capacity")
    func scan() {
        var cache = SieveCache<Int, Int>(costLimit: 100)
        var gone: Gone = []
        for key in 0..<100 { _ = cache.insert(key, forKey: key, cost: 1, clock: clock, departed: &gone) }
        for key in 1_000..<2_000 {
            for hot in 0..<10 { #expect(cache.find(hot).flatMap { cache.use(slot: $0) } == hot) }
            _ = cache.insert(key, forKey: key, cost: 1, clock: clock, departed: &gone)
        }
        #expect(cache.totalCost == 100)
    }

    @Test("Keys whose hashes are all equal are still told apart")
    func collisions() {
        struct Colliding: Hashable {
            let number: Int
            func hash(into hasher: inout Hasher) {}
        }
        var cache = SieveCache<Colliding, Int>(costLimit: 50)
        var gone: [Departed<Colliding, Int>] = []
        for number in 0..<200 {
            _ = cache.insert(number, forKey: Colliding(number: number), cost: 1, clock: clock, departed: &gone)
        }
        #expect(gone.map(\.value) == Array(0..<150))
        for number in 150..<200 {
            #expect(cache.find(Colliding(number: number)).flatMap { cache.use(slot: $0) } == number)
        }
        #expect(cache.find(Colliding(number: 3)) == nil)
    }
}
