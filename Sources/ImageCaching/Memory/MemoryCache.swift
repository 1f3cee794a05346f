public import Synchronization

/// Values in memory up to a cost, synchronous, for any thread.
///
/// A hit takes a lock, looks into one table and sets a bit; it allocates nothing. When room is needed, the entries that
/// were not asked for since they came go first (see ``SieveCache``), so reading through many pictures once does not push
/// out those in use. Values are released after the lock is given back: a bitmap of 40 MB that goes back to the system
/// holds up nobody.
///
/// Nothing is shed by itself when the system runs short of memory. Whoever learns of it calls ``trim(toCost:)``.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline let state: Mutex<SieveCache<Key, Value>>

    /// - Parameters:
    ///   - costLimit: what the costs of all entries may add up to, in the unit that the insertions use, bytes as a rule.
    ///     By default ``MemoryBudget/cacheLimit`` of this process. Zero keeps only what costs nothing.
    ///   - countLimit: the most entries; nil, the default, leaves it to the costs.
    public init(costLimit: Int = MemoryBudget.current.cacheLimit, countLimit: Int? = nil) {
        state = Mutex(SieveCache(costLimit: costLimit, countLimit: countLimit))
    }

    /// The value under the key, which now counts as used.
    @inlinable
    public func value(forKey key: Key) -> Value? {
        state.withLock { $0.value(forKey: key) }
    }

    /// Keeps a value in the place of any other under the same key.
    ///
    /// - Parameter cost: bytes, as a rule. Below zero counts as zero.
    /// - Returns: whether it was kept. A cost above ``costLimit`` is not; then nothing is left under the key.
    @inlinable
    @discardableResult
    public func insert(_ value: Value, forKey key: Key, cost: Int) -> Bool {
        var released: [Value] = []
        return state.withLock { $0.insert(value, forKey: key, cost: cost, released: &released) }
    }

    /// Takes the value under the key out.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? {
        state.withLock { $0.removeValue(forKey: key) }
    }

    /// Takes everything out and gives the tables' memory back.
    public func removeAll() {
        let old = state.withLock { cache in
            let old = cache
            cache = SieveCache(costLimit: old.costLimit, countLimit: old.countLimit)
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Takes entries out until the costs add up to no more than `cost`. The limit stays.
    public func trim(toCost cost: Int) {
        var released: [Value] = []
        state.withLock { $0.trim(toCost: cost, released: &released) }
    }

    /// What the costs of all entries add up to. Never above ``costLimit``.
    public var totalCost: Int { state.withLock { $0.totalCost } }

    /// How many entries there are.
    public var count: Int { state.withLock { $0.count } }

    /// What the costs may add up to. A lower one takes entries out at once.
    public var costLimit: Int {
        get { state.withLock { $0.costLimit } }
        set {
            var released: [Value] = []
            state.withLock { $0.setCostLimit(newValue, released: &released) }
        }
    }
}
