/// Elements at places that stay the same until they leave, so that whoever holds a place is found without a search.
///
/// The first element needs no memory of its own: nearly all work has one task that waits for it.
struct Roster<Element> {
    private var first: Element?
    private var rest: [Element?] = []
    /// Places in `rest` that can be taken again.
    private var free: [Int] = []
    private(set) var count = 0

    init() {}

    /// One element, at place 0.
    init(_ element: Element) {
        first = element
        count = 1
    }

    var isEmpty: Bool { count == 0 }

    /// - Returns: the element's place.
    mutating func add(_ element: Element) -> Int {
        count += 1
        if first == nil {
            first = element
            return 0
        }
        if let place = free.popLast() {
            rest[place] = element
            return place + 1
        }
        rest.append(element)
        return rest.count
    }

    /// The element at a place; `nil` when the place is empty or was never given out. Setting `nil` takes it out.
    subscript(place: Int) -> Element? {
        get {
            if place == 0 { return first }
            return rest.indices.contains(place - 1) ? rest[place - 1] : nil
        }
        set {
            guard self[place] != nil else { return }
            if newValue == nil { count -= 1 }
            if place == 0 {
                first = newValue
            } else {
                rest[place - 1] = newValue
                if newValue == nil { free.append(place - 1) }
            }
        }
    }

    /// All of them, in the order of their places.
    var elements: [Element] {
        guard count > 0 else { return [] }
        return (first.map { [$0] } ?? []) + rest.compactMap { $0 }
    }
}
