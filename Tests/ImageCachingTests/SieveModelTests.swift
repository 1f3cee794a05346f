import Testing
import WebImageTesting

@testable import ImageCaching

/// SIEVE written down as plainly as possible: an array from the oldest to the newest.
private struct NaiveSieve {
    struct Entry {
        let key: Int
        let value: Int
        let cost: Int
        var isVisited: Bool
    }

    var entries: [Entry] = []
    var hand: Int?
    var costLimit: Int
    let countLimit: Int

    var totalCost: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func value(_ key: Int) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        entries[index].isVisited = true
        return entries[index].value
    }

    mutating func insert(_ value: Int, _ key: Int, cost: Int) -> (Bool, [Int]) {
        var released: [Int] = []
        let old = entries.firstIndex { $0.key == key }
        if let old { released.append(remove(at: old)) }
        guard cost <= costLimit, countLimit > 0 else { return (false, released) }
        released += evict(cost: costLimit - cost, count: countLimit - 1)
        entries.append(Entry(key: key, value: value, cost: cost, isVisited: old != nil))
        return (true, released)
    }

    mutating func remove(_ key: Int) -> Int? {
        entries.firstIndex { $0.key == key }.map { remove(at: $0) }
    }

    mutating func evict(cost: Int, count: Int) -> [Int] {
        var released: [Int] = []
        while totalCost > cost || entries.count > count, !entries.isEmpty {
            var index = hand ?? 0
            while entries[index].isVisited {
                entries[index].isVisited = false
                index = (index + 1) % entries.count
            }
            hand = index
            released.append(remove(at: index))
        }
        return released
    }

    private mutating func remove(at index: Int) -> Int {
        let value = entries.remove(at: index).value
        if let old = hand {
            if index < old { hand = old - 1 } else if index == old, old == entries.count { hand = nil }
        }
        return value
    }
}

@Suite struct SieveModelTests {
    @Test("S109, S110: a million random operations agree with a plain list", arguments: [1, 2, 3, 4] as [UInt64])
    func agreesWithOracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let countLimit = seed.isMultiple(of: 2) ? 23 : 1_000
        var cache = SieveCache<Int, Int>(costLimit: 400, countLimit: countLimit)
        var oracle = NaiveSieve(costLimit: 400, countLimit: countLimit)
        for step in 0..<250_000 {
            let key = Int.random(in: 0..<64, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<55:
                let (found, expected) = (cache.value(forKey: key), oracle.value(key))
                guard found == expected else { return record("value", step) }
            case 55..<90:
                let cost = Int.random(in: 0..<30, using: &random) * (step.isMultiple(of: 97) ? 40 : 1)
                var released: [Int] = []
                let kept = cache.insert(step, forKey: key, cost: cost, released: &released)
                guard (kept, released) == oracle.insert(step, key, cost: cost) else { return record("insert", step) }
            case 90..<97:
                let (removed, expected) = (cache.removeValue(forKey: key), oracle.remove(key))
                guard removed == expected else { return record("remove", step) }
            case 97:
                let target = Int.random(in: 0..<400, using: &random)
                var released: [Int] = []
                cache.trim(toCost: target, released: &released)
                guard released == oracle.evict(cost: target, count: countLimit) else { return record("trim", step) }
            default:
                oracle.costLimit = Int.random(in: 100..<600, using: &random)
                var released: [Int] = []
                cache.setCostLimit(oracle.costLimit, released: &released)
                guard released == oracle.evict(cost: oracle.costLimit, count: countLimit)
                else { return record("limit", step) }
            }
            guard cache.totalCost == oracle.totalCost, cache.count == oracle.entries.count
            else { return record("sums", step) }
        }
    }

    private func record(_ operation: String, _ step: Int) {
        Issue.record("\(operation) differs from the plain list in step \(step)")
    }

    @Test("W036: what is in use survives a scan of ten times the capacity")
    func scan() {
        var cache = SieveCache<Int, Int>(costLimit: 100)
        var released: [Int] = []
        for key in 0..<100 { _ = cache.insert(key, forKey: key, cost: 1, released: &released) }
        for key in 1_000..<2_000 {
            for hot in 0..<10 { #expect(cache.value(forKey: hot) == hot) }
            _ = cache.insert(key, forKey: key, cost: 1, released: &released)
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
        var released: [Int] = []
        for number in 0..<200 {
            _ = cache.insert(number, forKey: Colliding(number: number), cost: 1, released: &released)
        }
        #expect(released == Array(0..<150))
        for number in 150..<200 { #expect(cache.value(forKey: Colliding(number: number)) == number) }
        #expect(cache.value(forKey: Colliding(number: 3)) == nil)
    }
}
