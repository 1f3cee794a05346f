/// A binary heap: the greatest element is found at once, the others in no order.
struct Heap<Element: Comparable & Sendable>: Sendable {
    private(set) var elements: [Element] = []

    init() {}

    /// Any elements, in linear time.
    init(_ elements: [Element]) {
        self.elements = elements
        for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    var greatest: Element? { elements.first }
    var count: Int { elements.count }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[parent] < elements[child] else { return }
            elements.swapAt(parent, child)
            child = parent
        }
    }

    mutating func removeGreatest() {
        guard let last = elements.popLast(), !elements.isEmpty else { return }
        elements[0] = last
        siftDown(from: 0)
    }

    private mutating func siftDown(from index: Int) {
        var parent = index
        while true {
            var child = 2 * parent + 1
            guard child < elements.count else { return }
            if child + 1 < elements.count, elements[child] < elements[child + 1] { child += 1 }
            guard elements[parent] < elements[child] else { return }
            elements.swapAt(parent, child)
            parent = child
        }
    }
}
