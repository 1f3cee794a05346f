/// How soon a fetch that waits gets its turn, compared with the others.
public struct FetchPriority: RawRepresentable, Comparable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let veryLow = FetchPriority(rawValue: -2)
    /// For prefetching: below ``normal``, fetches may use only a part of the slots.
    public static let low = FetchPriority(rawValue: -1)
    /// The default.
    public static let normal = FetchPriority(rawValue: 0)
    public static let high = FetchPriority(rawValue: 1)
    public static let veryHigh = FetchPriority(rawValue: 2)

    public static func < (left: FetchPriority, right: FetchPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
