public import Synchronization

/// Values in memory up to a cost, synchronous, for any thread.
///
/// A hit takes a lock, looks into one table and sets a bit; it allocates nothing. When room is needed, the entries that
/// were not asked for since they came go first (see ``SieveCache``), so reading through many pictures once does not push
/// out those in use. Values are released after the lock is given back: a bitmap of 40 MB that goes back to the system
/// holds up nobody.
///
/// With a ``WeakLevel``, what made room is found again as long as somebody holds it.
///
/// Nothing is shed by itself when the system runs short of memory. Whoever learns of it calls ``trim(toCost:)``, or has
/// ``MemoryPressureMonitor`` call ``relieve(_:)``.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Levels = MemoryLevels<Key, Value>

    @usableFromInline let state: Mutex<Levels>
    @usableFromInline let clock: LifetimeClock

    /// - Parameters:
    ///   - costLimit: what the costs of all entries may add up to, in the unit that the insertions use, bytes as a rule.
    ///     By default ``MemoryBudget/cacheLimit`` of this process. Zero keeps only what costs nothing.
    ///   - countLimit: the most entries; nil, the default, leaves it to the costs.
    ///   - weakLevel: how to find what was pushed out and is still held by somebody; nil, the default, does not, and
    ///     costs nothing.
    ///   - now: the clock behind lifetimes. Default: the continuous clock.
    public init(
        costLimit: Int = MemoryBudget.current.cacheLimit, countLimit: Int? = nil, weakLevel: WeakLevel<Value>? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        state = Mutex(Levels(costLimit: costLimit, countLimit: countLimit, weakLevel: weakLevel))
        clock = LifetimeClock(now)
    }

    /// The value under the key, which now counts as used.
    ///
    /// An entry whose lifetime is over is taken out and counts as a miss.
    @inlinable
    public func value(forKey key: Key) -> Value? {
        // What nearly every look-up is comes first and by itself: it has no clock to read and nothing to let go of.
        let (value, isAnswer) = state.withPatientLock { $0.plainValue(forKey: key) }
        return isAnswer ? value : anyValue(forKey: key)
    }

    @inlinable
    @inline(never)
    func anyValue(forKey key: Key) -> Value? {
        var departures = Levels.Departures()
        return state.withLock { $0.value(forKey: key, clock: clock, departures: &departures) }
    }

    /// Whether ``value(forKey:)`` would find something. Nothing counts as used, and no look-up is counted.
    public func contains(_ key: Key) -> Bool {
        var departures = Levels.Departures()
        return state.withLock { $0.contains(key, clock: clock, departures: &departures) }
    }

    /// Keeps a value in the place of any other under the same key.
    ///
    /// - Parameters:
    ///   - cost: bytes, as a rule. Below zero counts as zero.
    ///   - lifetime: after which the entry counts as missing; nil, the default, is for ever. Nothing is removed by a
    ///     timer: what is over goes when it is asked for, when it stands where room is needed, or in
    ///     ``removeExpired()``.
    /// - Returns: whether it was kept. A cost above ``costLimit`` is not, nor what has no lifetime left; then nothing is
    ///   left under the key, except that a weak level remembers what was too dear.
    @inlinable
    @discardableResult
    public func insert(_ value: Value, forKey key: Key, cost: Int, lifetime: Duration? = nil) -> Bool {
        var departures = Levels.Departures()
        let deadline = lifetime.map { clock.deadline(after: $0) } ?? .max
        return state.withLock {
            $0.insert(value, forKey: key, cost: cost, deadline: deadline, clock: clock, departures: &departures)
        }
    }

    /// Takes the value under the key out, and forgets it in the weak level.
    ///
    /// - Returns: the value, unless its lifetime was over.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? {
        var departures = Levels.Departures()
        return state.withLock { $0.removeValue(forKey: key, clock: clock, departures: &departures) }
    }

    /// Takes every entry out that `isUnwanted` says so of, of the weak level too. Looks at all of them, under the lock: it
    /// must not call the cache.
    public func removeAll(where isUnwanted: (Key, Value) -> Bool) {
        var departures = Levels.Departures()
        state.withLock { $0.removeAll(where: isUnwanted, departures: &departures) }
    }

    /// Takes everything out, of the weak level too, and gives the tables' memory back. The statistics go on.
    public func removeAll() {
        let old = state.withLock { levels in
            let old = levels
            levels.removeAll()
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Takes out what has outlived its lifetime, and what the weak level remembers of values that are gone. Looks at
    /// every entry.
    public func removeExpired() {
        change { $0.removeExpired(clock: $1, departures: &$2) }
    }

    /// Takes entries out until the costs add up to no more than `cost`. The limit stays, and so does the weak level:
    /// what it knows is held by others.
    public func trim(toCost cost: Int) {
        change { $0.trim(toCost: cost, clock: $1, departures: &$2) }
    }

    /// What the costs of all entries add up to. Never above ``costLimit``.
    public var totalCost: Int { state.withLock { $0.strong.totalCost } }

    /// How many entries there are, the weak level's not counted.
    public var count: Int { state.withLock { $0.strong.count } }

    /// What the costs may add up to. A lower one takes entries out at once.
    public var costLimit: Int {
        get { state.withLock { $0.strong.costLimit } }
        set {
            change { levels, clock, departures in
                levels.strong.costLimit = SieveCache<Key, Value>.clamped(cost: newValue)
                levels.trim(toCost: .max, clock: clock, departures: &departures)
            }
        }
    }

    /// The most entries, nil for as many as the costs allow. A lower one takes entries out at once.
    public var countLimit: Int? {
        get {
            let limit = state.withLock { $0.strong.countLimit }
            return limit == SieveCache<Key, Value>.noCountLimit ? nil : limit
        }
        set {
            change { levels, clock, departures in
                levels.strong.countLimit = SieveCache<Key, Value>.clamped(count: newValue)
                levels.trim(toCost: .max, clock: clock, departures: &departures)
            }
        }
    }

    /// What happened so far, and how full the cache is.
    public var statistics: MemoryCacheStatistics { state.withLock { $0.statistics } }

    func change(_ body: @Sendable (inout Levels, LifetimeClock, inout Levels.Departures) -> Void) {
        var departures = Levels.Departures()
        state.withLock { body(&$0, clock, &departures) }
    }
}
