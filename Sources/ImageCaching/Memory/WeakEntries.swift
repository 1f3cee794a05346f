/// The entries of a memory cache's weak level: what left the cache, each as a way back to its value.
///
/// Entries whose value is gone are found by a hand that looks at one of them whenever one comes, and goes on for as long
/// as it finds dead ones, up to three. So there are not many more dead entries than living ones, and no single call has
/// to look at all of them.
@usableFromInline
struct WeakEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let key: Key
        @usableFromInline let hash: UInt32
        @usableFromInline let value: @Sendable () -> Value?
        @usableFromInline let cost: Int
        @usableFromInline let deadline: Int64

        @inlinable
        init(key: Key, hash: UInt32, value: @escaping @Sendable () -> Value?, cost: Int, deadline: Int64) {
            self.key = key
            self.hash = hash
            self.value = value
            self.cost = cost
            self.deadline = deadline
        }
    }

    @usableFromInline let level: WeakLevel<Value>
    /// Without gaps: the last one moves into the place of one that goes.
    @usableFromInline var entries: [Entry] = []
    /// The entries' indices.
    @usableFromInline var table = SlotTable()
    @usableFromInline var hand = 0

    init(level: WeakLevel<Value>) {
        self.level = level
    }

    @inlinable
    func index(of key: Key) -> Int? {
        entries.isEmpty ? nil : table.find(hash: SieveCache<Key, Value>.hash(of: key)) { entries[$0].key == key }
    }

    /// Remembers a value that the caller still holds, under a key that is not there yet.
    ///
    /// - Parameter released: gets the values that were looked at. One of them may be held by nobody else any more.
    @inlinable
    mutating func insert(_ value: Value, forKey key: Key, cost: Int, deadline: Int64, released: inout [Value]) {
        // Before the new one comes: its value is still held by the caller, whatever becomes of it.
        for _ in 0..<3 { guard removeNextIfDead(&released) else { break } }
        let hash = SieveCache<Key, Value>.hash(of: key)
        table.insert(entries.count, hash: hash, count: entries.count)
        entries.append(
            Entry(key: key, hash: hash, value: level.weaken(value), cost: cost, deadline: deadline))
    }

    @inlinable
    mutating func remove(_ key: Key) {
        if let index = index(of: key) { remove(at: index) }
    }

    mutating func removeAll() {
        entries = []
        table = SlotTable()
        hand = 0
    }

    /// Takes out every entry that is not wanted or whose value is gone; looks at all.
    mutating func removeAll(where isUnwanted: (Key, Value) -> Bool, released: inout [Value]) {
        // From the end: what moves into a gap has been looked at.
        for index in entries.indices.reversed() {
            let value = entries[index].value()
            if let value { released.append(value) }
            if value.map({ isUnwanted(entries[index].key, $0) }) ?? true { remove(at: index) }
        }
    }

    /// Takes out every entry whose value is gone; looks at all.
    mutating func removeDead(released: inout [Value]) {
        hand = 0
        while hand < entries.count { _ = removeNextIfDead(&released) }
    }

    /// Looks at the entry under the hand, which moves on unless it took that out.
    @inlinable
    mutating func removeNextIfDead(_ released: inout [Value]) -> Bool {
        guard !entries.isEmpty else { return false }
        if hand >= entries.count { hand = 0 }
        guard let value = entries[hand].value() else {
            remove(at: hand)
            return true
        }
        released.append(value)
        hand += 1
        return false
    }

    @inlinable
    mutating func remove(at index: Int) {
        table.remove(index, hash: entries[index].hash)
        let last = entries.removeLast()
        guard index < entries.count else { return }
        table.renumber(entries.count, to: index, hash: last.hash)
        entries[index] = last
    }
}
