/// A dictionary of bounded size: the entry that was set longest ago makes room for a new one.
///
/// Every operation takes constant time, spread over many.
struct AgeingTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        /// Which setting of the key this is; an older place of the key in the order is void.
        var serial: UInt64
    }

    let capacity: Int
    private var entries: [Key: Entry] = [:]
    /// The settings from the oldest to the newest; those before `first` are done with.
    private var order: [(key: Key, serial: UInt64)] = []
    private var first = 0
    private var serial: UInt64 = 0

    /// - Parameter capacity: how many keys there are at most; 0 or less keeps none.
    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    var count: Int { entries.count }

    /// Setting makes the key the newest; setting nil removes it.
    subscript(key: Key) -> Value? {
        get { entries[key]?.value }
        set {
            guard let newValue else {
                entries[key] = nil
                return
            }
            guard capacity > 0 else { return }
            serial &+= 1
            entries[key] = Entry(value: newValue, serial: serial)
            order.append((key, serial))
            while entries.count > capacity { dropOldest() }
            if order.count > 2 * entries.count + 16 { compact() }
        }
    }

    mutating func removeAll() {
        entries = [:]
        order = []
        first = 0
    }

    private mutating func dropOldest() {
        guard first < order.count else { return }
        let (key, serial) = order[first]
        first += 1
        if entries[key]?.serial == serial { entries[key] = nil }
    }

    private mutating func compact() {
        order = order[first...].filter { entries[$0.key]?.serial == $0.serial }
        first = 0
    }
}
