/// What a memory cache keeps and what it remembers, as one value without a lock.
///
/// An entry is in the strong level or, once it made room there, in the weak one, never in both: while the strong level
/// holds a value nobody needs the weak reference to it, and an insertion that pushes nothing out makes none.
@usableFromInline
struct MemoryLevels<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// What leaves in one operation. The caller lets go of it after the lock has been given back: the end of a bitmap of
    /// 40 MB holds up nobody, and a value may call the cache when it goes.
    @usableFromInline
    struct Departures: Sendable {
        @usableFromInline var entries: [Departed<Key, Value>] = []
        /// How many of them have been counted and handed on.
        @usableFromInline var settledCount = 0
        /// Values that the weak level looked at.
        @usableFromInline var values: [Value] = []

        @inlinable
        init() {}
    }

    /// First, beside the lock: a hit changes no other line of the processor's cache than the lock's own, which two
    /// threads would have to hand to and fro as well.
    @usableFromInline var counters = MemoryCacheStatistics()
    @usableFromInline var strong: SieveCache<Key, Value>
    @usableFromInline var weak: WeakEntries<Key, Value>?

    init(costLimit: Int, countLimit: Int? = nil, weakLevel: WeakLevel<Value>? = nil) {
        strong = SieveCache(costLimit: costLimit, countLimit: countLimit)
        weak = weakLevel.map { WeakEntries(level: $0) }
    }

    var statistics: MemoryCacheStatistics {
        var statistics = counters
        statistics.count = strong.count
        statistics.cost = strong.totalCost
        statistics.weakCount = weak?.entries.count ?? 0
        return statistics
    }

    /// The value of an entry without a lifetime, which now counts as used.
    ///
    /// - Returns: no answer, with nothing counted, when ``value(forKey:clock:departures:)`` has to look.
    @inlinable
    mutating func plainValue(forKey key: Key) -> (value: Value?, isAnswer: Bool) {
        guard let slot = strong.find(key) else {
            guard weak?.entries.isEmpty ?? true else { return (nil, false) }
            counters.misses &+= 1
            return (nil, true)
        }
        guard !strong.slots[slot].hasDeadline else { return (nil, false) }
        counters.hits &+= 1
        return (strong.use(slot: slot), true)
    }

    /// The value, whose entry now counts as used. One that only the weak level knew comes back into the strong one.
    @inlinable
    mutating func value(forKey key: Key, clock: LifetimeClock, departures: inout Departures) -> Value? {
        if let slot = strong.find(key) {
            if !strong.isExpired(slot: slot, clock) {
                counters.hits &+= 1
                return strong.use(slot: slot)
            }
            expire(slot: slot, departures: &departures)
        } else if weak != nil, let value = revive(key, clock: clock, departures: &departures) {
            counters.hits &+= 1
            counters.weakHits &+= 1
            return value
        }
        counters.misses &+= 1
        return nil
    }

    /// Whether there is a value. Nothing counts as used.
    func contains(_ key: Key, clock: LifetimeClock, departures: inout Departures) -> Bool {
        if let slot = strong.find(key) { return !strong.isExpired(slot: slot, clock) }
        guard let entry = weakEntry(key), let value = entry.value() else { return false }
        departures.values.append(value)
        return !isExpired(entry, clock)
    }

    /// - Returns: whether the strong level keeps it. What is too dear for it is remembered by the weak one.
    @inlinable
    mutating func insert(
        _ value: Value, forKey key: Key, cost: Int, deadline: Int64 = .max, clock: LifetimeClock,
        departures: inout Departures
    ) -> Bool {
        weak?.remove(key)
        guard deadline == .max || deadline > clock.now else {
            if let slot = strong.find(key) {
                departures.entries.append(strong.remove(slot: slot, reason: .replaced))
            }
            return false
        }
        let isKept = strong.insert(
            value, forKey: key, cost: cost, deadline: deadline, clock: clock, departed: &departures.entries)
        settle(&departures)
        if isKept {
            counters.insertions &+= 1
        } else {
            weak?.insert(value, forKey: key, cost: cost, deadline: deadline, released: &departures.values)
        }
        return isKept
    }

    /// Takes the entry out of both levels.
    ///
    /// - Returns: its value, unless its lifetime is over or, in the weak level, nobody holds it any more.
    mutating func removeValue(forKey key: Key, clock: LifetimeClock, departures: inout Departures) -> Value? {
        if let slot = strong.find(key) {
            guard !strong.isExpired(slot: slot, clock) else {
                expire(slot: slot, departures: &departures)
                return nil
            }
            return strong.remove(slot: slot, reason: .removed).value
        }
        let entry = weakEntry(key)
        weak?.remove(key)
        guard let entry, let value = entry.value() else { return nil }
        guard isExpired(entry, clock) else { return value }
        departures.values.append(value)
        counters.expirations &+= 1
        return nil
    }

    mutating func removeAll(where isUnwanted: (Key, Value) -> Bool, departures: inout Departures) {
        strong.removeAll(where: isUnwanted, departed: &departures.entries)
        settle(&departures)
        weak?.removeAll(where: isUnwanted, released: &departures.values)
    }

    /// Empties both levels; the counters go on.
    mutating func removeAll() {
        strong = SieveCache(costLimit: strong.costLimit, countLimit: strong.countLimit)
        weak?.removeAll()
    }

    /// Takes out of the strong level what is above the limits, or above less.
    mutating func trim(toCost cost: Int, clock: LifetimeClock, departures: inout Departures) {
        strong.makeRoom(
            cost: min(max(0, cost), strong.costLimit), count: strong.countLimit, clock: clock,
            departed: &departures.entries)
        settle(&departures)
    }

    mutating func removeExpired(clock: LifetimeClock, departures: inout Departures) {
        strong.removeExpired(clock: clock, departed: &departures.entries)
        settle(&departures)
        weak?.removeDead(released: &departures.values)
    }

    @inlinable
    func weakEntry(_ key: Key) -> WeakEntries<Key, Value>.Entry? {
        guard let weak, let index = weak.index(of: key) else { return nil }
        return weak.entries[index]
    }

    @usableFromInline
    mutating func expire(slot: Int, departures: inout Departures) {
        departures.entries.append(strong.remove(slot: slot, reason: .expired))
        settle(&departures)
    }

    @inlinable
    func isExpired(_ entry: WeakEntries<Key, Value>.Entry, _ clock: LifetimeClock) -> Bool {
        entry.deadline != .max && entry.deadline <= clock.now
    }

    @inlinable
    mutating func revive(_ key: Key, clock: LifetimeClock, departures: inout Departures) -> Value? {
        guard let entry = weakEntry(key) else { return nil }
        guard let value = entry.value() else {
            weak?.remove(key)
            return nil
        }
        guard !isExpired(entry, clock) else {
            weak?.remove(key)
            departures.values.append(value)
            counters.expirations &+= 1
            return nil
        }
        if strong.insert(
            value, forKey: key, cost: entry.cost, deadline: entry.deadline, clock: clock, departed: &departures.entries)
        {
            weak?.remove(key)
            settle(&departures)
        }
        return value
    }

    /// Counts what left the strong level and hands what was pushed out on to the weak one.
    @inlinable
    mutating func settle(_ departures: inout Departures) {
        for entry in departures.entries[departures.settledCount...] {
            switch entry.reason {
            case .evicted:
                counters.evictions &+= 1
                if weak != nil, let value = entry.value {
                    weak?.insert(
                        value, forKey: entry.key, cost: entry.cost, deadline: entry.deadline,
                        released: &departures.values)
                }
            case .expired: counters.expirations &+= 1
            case .replaced, .removed: break
            }
        }
        departures.settledCount = departures.entries.count
    }
}
