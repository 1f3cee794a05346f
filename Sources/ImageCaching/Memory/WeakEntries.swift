/// The entries of a memory cache's weak level: what left the cache, each as a way back to its value.
///
/// Entries whose value is gone are found by a hand that looks at two of them whenever one comes. In the time in which as
/// many come as there are, it goes round twice, so that never many more than half of the entries are dead, and no single
/// call has to look at all of them.
@usableFromInline
struct WeakEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let key: Key
        @usableFromInline let value: @Sendable () -> Value?
        @usableFromInline let cost: Int
        @usableFromInline let deadline: Int64

        @inlinable
        init(key: Key, value: @escaping @Sendable () -> Value?, cost: Int, deadline: Int64) {
            self.key = key
            self.value = value
            self.cost = cost
            self.deadline = deadline
        }
    }

    @usableFromInline let level: WeakLevel<Value>
    /// Without gaps: the last one moves into the place of one that goes.
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var places: [Key: Int] = [:]
    @usableFromInline var hand = 0

    init(level: WeakLevel<Value>) {
        self.level = level
    }

    @inlinable
    func find(_ key: Key) -> Entry? {
        entries.isEmpty ? nil : places[key].map { entries[$0] }
    }

    /// Remembers a value that the caller still holds.
    ///
    /// - Parameter released: gets the values that were looked at. One of them may be held by nobody else any more.
    @inlinable
    mutating func insert(
        _ value: Value, forKey key: Key, cost: Int, deadline: Int64, released: inout [Value]
    ) {
        // Before the new one comes: its value is still held by the caller, whatever becomes of it.
        for _ in 0..<2 { step(&released) }
        let entry = Entry(key: key, value: level.weaken(value), cost: cost, deadline: deadline)
        if let place = places[key] {
            entries[place] = entry
        } else {
            places[key] = entries.count
            entries.append(entry)
        }
    }

    @inlinable
    @discardableResult
    mutating func remove(_ key: Key) -> Entry? {
        guard !entries.isEmpty, let place = places.removeValue(forKey: key) else { return nil }
        return takeOut(place)
    }

    mutating func removeAll() {
        entries = []
        places = [:]
    }

    /// Takes out every entry whose value is gone; looks at all.
    mutating func removeDead(released: inout [Value]) {
        hand = 0
        while hand < entries.count { step(&released) }
    }

    @inlinable
    mutating func step(_ released: inout [Value]) {
        guard !entries.isEmpty else { return }
        if hand >= entries.count { hand = 0 }
        if let value = entries[hand].value() {
            released.append(value)
            hand += 1
        } else {
            places.removeValue(forKey: entries[hand].key)
            takeOut(hand)
        }
    }

    @inlinable
    @discardableResult
    mutating func takeOut(_ place: Int) -> Entry {
        let last = entries.removeLast()
        guard place < entries.count else { return last }
        let entry = entries[place]
        entries[place] = last
        places[last.key] = place
        return entry
    }
}
