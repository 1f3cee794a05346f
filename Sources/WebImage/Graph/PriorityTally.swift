/// How many of those who wait have each priority; finds the highest without looking at all of them.
struct PriorityTally {
    private var counts = SIMD8<Int32>()

    init(_ first: ImagePriority) {
        add(first)
    }

    mutating func add(_ priority: ImagePriority) { counts[priority.rawValue] += 1 }

    mutating func remove(_ priority: ImagePriority) { counts[priority.rawValue] -= 1 }

    /// `nil` when nobody waits.
    var highest: ImagePriority? {
        for index in (0..<ImagePriority.allCases.count).reversed() where counts[index] > 0 {
            return ImagePriority(rawValue: index)
        }
        return nil
    }
}
