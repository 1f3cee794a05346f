/// Why an entry is no longer in the cache.
@usableFromInline
enum Departure: Sendable {
    /// It made room, or a limit was lowered.
    case evicted
    /// Its lifetime is over.
    case expired
    /// Another value came under its key.
    case replaced
    /// It was asked to go.
    case removed
}

/// An entry that left the cache. Whoever gets it lets go of the value after the lock has been given back.
@usableFromInline
struct Departed<Key: Sendable, Value: Sendable>: Sendable {
    @usableFromInline var key: Key
    /// Nil once it was handed on.
    @usableFromInline var value: Value?
    @usableFromInline var cost: Int
    @usableFromInline var deadline: Int64
    @usableFromInline var reason: Departure

    @inlinable
    init(key: Key, value: Value?, cost: Int, deadline: Int64, reason: Departure) {
        self.key = key
        self.value = value
        self.cost = cost
        self.deadline = deadline
        self.reason = reason
    }
}
