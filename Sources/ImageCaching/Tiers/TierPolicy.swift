/// Which caches of an ordered list an operation goes to, and how.
public enum TierPolicy: String, Hashable, Sendable, CaseIterable {
    /// The first one only.
    case highestOnly
    /// The last one only.
    case lowestOnly
    /// One after the other, from the first to the last. Looking for something ends where it is found.
    case serial
    /// All at the same time. Looking for something ends with the first that has it; the others are told to stop.
    case concurrent

    /// The places in a list of so many that the operation goes to.
    func places(of count: Int) -> Range<Int> {
        switch self {
        case .highestOnly: 0..<min(1, count)
        case .lowestOnly: max(0, count - 1)..<count
        case .serial, .concurrent: 0..<count
        }
    }
}

/// The policy of each kind of operation.
public struct TierPolicies: Hashable, Sendable {
    /// Looking for an entry. Default: one after the other, so that a slower one is asked only for what the faster ones
    /// lack.
    public var query = TierPolicy.serial

    /// Whether something is there. Default: one after the other.
    public var contains = TierPolicy.serial

    /// Storing. Default: all at the same time.
    public var store = TierPolicy.concurrent

    /// Removing one entry. Default: all at the same time.
    public var remove = TierPolicy.concurrent

    /// Removing all. Default: all at the same time.
    public var clear = TierPolicy.concurrent

    public init() {}

    public init(all policy: TierPolicy) {
        query = policy
        contains = policy
        store = policy
        remove = policy
        clear = policy
    }
}
