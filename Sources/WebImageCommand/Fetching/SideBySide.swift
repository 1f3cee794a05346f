/// Does work on each item of a list, a limited number at a time, and hands over every result as it comes.
///
/// - Parameters:
///   - width: how many run at once; at least one.
///   - work: gets the item's place and the item.
///   - take: gets the place and the result. When it throws, what runs is cancelled and nothing more is begun.
func sideBySide<Item: Sendable, Result: Sendable>(
    _ items: [Item], width: Int, work: @escaping @Sendable (Int, Item) async -> Result,
    take: (Int, Result) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        func add(_ index: Int) {
            let item = items[index]
            group.addTask { (index, await work(index, item)) }
        }
        var next = min(items.count, max(1, width))
        for index in 0..<next { add(index) }
        while let (index, result) = try await group.next() {
            if next < items.count {
                add(next)
                next += 1
            }
            try take(index, result)
        }
    }
}
