/// The rules of a memory cache written down as plainly as possible: an array from the oldest to the newest entry, and a
/// dictionary for the weak level. Values are numbers; which of them somebody holds, it is told.
struct NaiveMemoryCache {
    struct Entry {
        let key: Int
        let value: Int
        let cost: Int
        let deadline: Int64
        var isVisited = false
    }

    var now: Int64 = 0
    var held: Set<Int> = []
    let hasWeakLevel: Bool
    private(set) var costLimit: Int
    private(set) var countLimit: Int?

    private(set) var entries: [Entry] = []
    private(set) var weak: [Int: Entry] = [:]
    private var hand: Int?

    private(set) var hits = 0
    private(set) var misses = 0
    private(set) var weakHits = 0
    private(set) var insertions = 0
    private(set) var evictions = 0
    private(set) var expirations = 0

    init(costLimit: Int, countLimit: Int? = nil, hasWeakLevel: Bool = false) {
        self.costLimit = costLimit
        self.countLimit = countLimit
        self.hasWeakLevel = hasWeakLevel
    }

    var totalCost: Int { entries.reduce(0) { $0 + $1.cost } }

    func contains(_ key: Int) -> Bool {
        if let entry = entries.first(where: { $0.key == key }) { return !isExpired(entry) }
        return weak[key].map { held.contains($0.value) && !isExpired($0) } ?? false
    }

    mutating func value(_ key: Int) -> Int? {
        if let index = entries.firstIndex(where: { $0.key == key }), isExpired(entries[index]) {
            remove(at: index)
            expirations += 1
        } else if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index].isVisited = true
            hits += 1
            return entries[index].value
        } else if let entry = takeWeak(key) {
            hits += 1
            weakHits += 1
            if !place(entry) { weak[key] = entry }
            return entry.value
        }
        misses += 1
        return nil
    }

    mutating func insert(_ value: Int, _ key: Int, cost: Int, deadline: Int64 = .max) -> Bool {
        weak[key] = nil
        var entry = Entry(key: key, value: value, cost: cost, deadline: deadline)
        if let index = entries.firstIndex(where: { $0.key == key }) {
            remove(at: index)
            entry.isVisited = true
        }
        if isExpired(entry) { return false }
        if place(entry) {
            insertions += 1
            return true
        }
        entry.isVisited = false
        if hasWeakLevel { weak[key] = entry }
        return false
    }

    mutating func remove(_ key: Int) -> Int? {
        if let index = entries.firstIndex(where: { $0.key == key }) {
            let entry = remove(at: index)
            if isExpired(entry) { expirations += 1 }
            return isExpired(entry) ? nil : entry.value
        }
        return takeWeak(key)?.value
    }

    mutating func removeAll() {
        entries = []
        weak = [:]
        hand = nil
    }

    mutating func removeAll(where isUnwanted: (Int) -> Bool) {
        while let index = entries.firstIndex(where: { isUnwanted($0.key) }) { remove(at: index) }
        weak = weak.filter { !isUnwanted($0.key) }
    }

    mutating func removeExpired() {
        while let index = entries.firstIndex(where: isExpired) {
            remove(at: index)
            expirations += 1
        }
    }

    mutating func trim(_ cost: Int) { makeRoom(cost: min(cost, costLimit), count: countLimit ?? .max) }

    mutating func setCostLimit(_ limit: Int) {
        costLimit = limit
        trim(limit)
    }

    mutating func setCountLimit(_ limit: Int?) {
        countLimit = limit
        trim(costLimit)
    }

    private func isExpired(_ entry: Entry) -> Bool { entry.deadline <= now && entry.deadline != .max }

    /// The weak level's entry, out of it, if somebody holds its value and it is not over.
    private mutating func takeWeak(_ key: Int) -> Entry? {
        guard let entry = weak.removeValue(forKey: key), held.contains(entry.value) else { return nil }
        if isExpired(entry) { expirations += 1 }
        return isExpired(entry) ? nil : entry
    }

    private mutating func place(_ entry: Entry) -> Bool {
        guard entry.cost <= costLimit, countLimit != 0 else { return false }
        makeRoom(cost: costLimit - entry.cost, count: countLimit.map { $0 - 1 } ?? .max)
        entries.append(entry)
        return true
    }

    private mutating func makeRoom(cost: Int, count: Int) {
        while totalCost > cost || entries.count > count {
            var index = hand ?? 0
            while entries[index].isVisited, !isExpired(entries[index]) {
                entries[index].isVisited = false
                index = (index + 1) % entries.count
            }
            hand = index
            var entry = remove(at: index)
            if isExpired(entry) {
                expirations += 1
            } else {
                evictions += 1
                entry.isVisited = false
                if hasWeakLevel { weak[entry.key] = entry }
            }
        }
    }

    @discardableResult
    private mutating func remove(at index: Int) -> Entry {
        let entry = entries.remove(at: index)
        if let old = hand {
            if index < old { hand = old - 1 } else if index == old, old == entries.count { hand = nil }
        }
        return entry
    }
}
