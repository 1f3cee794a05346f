/// A dictionary whose first entry needs no memory of its own.
///
/// Nearly all work has one task that waits for it, and nearly all bytes become one picture.
struct SmallMap<Key: Hashable, Value> {
    private var first: (key: Key, value: Value)?
    private var rest: [Key: Value] = [:]

    init() {}

    init(_ key: Key, _ value: Value) {
        first = (key, value)
    }

    var isEmpty: Bool { first == nil && rest.isEmpty }

    var count: Int { rest.count + (first == nil ? 0 : 1) }

    subscript(key: Key) -> Value? {
        get {
            if let first, first.key == key { return first.value }
            return rest.isEmpty ? nil : rest[key]
        }
        set {
            if let first, first.key == key {
                self.first = newValue.map { (key, $0) }
            } else if let newValue, isEmpty {
                first = (key, newValue)
            } else {
                rest[key] = newValue
            }
        }
    }

    var keys: [Key] { (first.map { [$0.key] } ?? []) + rest.keys }

    /// Any of the keys.
    var anyKey: Key? { first?.key ?? rest.keys.first }
}
