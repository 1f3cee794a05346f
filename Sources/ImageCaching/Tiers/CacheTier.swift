/// A further cache of bytes: one that several machines share over the network, for example.
///
/// A tier may be slow, lose what it was given, or be down. Ask it through ``CacheTiers``, which waits no longer than the
/// ``limits`` say and takes whatever goes wrong for a miss; nothing that a tier does fails a load. What it gives out is
/// judged like what comes from a disk: it may be stale, or no picture at all.
///
/// Calls come from any number of tasks at once and must not block the thread they run on. ``DiskTier`` shows how a cache
/// that blocks is made a tier.
public protocol CacheTier: Sendable {
    /// For people: statistics and warnings call the tier by it.
    var name: String { get }

    /// How long it is waited for. Default ``TierLimits/init()``.
    var limits: TierLimits { get }

    /// What is stored under a key; nil when nothing is.
    func entry(for key: DiskKey) async throws -> CacheEntry?

    /// Whether something is stored under a key. Default: whether ``entry(for:)`` finds it.
    func contains(_ key: DiskKey) async throws -> Bool

    /// Stores an entry in the place of any other under the key. What it does not want, a large one for example, a tier passes
    /// over without an error: errors count as failures.
    func store(_ entry: CacheEntry, for key: DiskKey) async throws

    /// Removes the entry under a key; none there is no error.
    func remove(_ key: DiskKey) async throws

    /// Removes every entry.
    func removeAll() async throws
}

extension CacheTier {
    public var limits: TierLimits { TierLimits() }

    public func contains(_ key: DiskKey) async throws -> Bool { try await entry(for: key) != nil }
}

/// How long a tier is waited for, and when it counts as broken down.
public struct TierLimits: Hashable, Sendable {
    /// How long a look-up may take. Default 250 ms: past that the origin is asked instead. Nil waits for ever.
    public var lookUp: Duration? = .milliseconds(250)

    /// How long a change may take: storing, removing. Default 5 s. Nil waits for ever.
    public var change: Duration? = .seconds(5)

    /// So many calls in a row that fail or take too long are a breakdown. Default 3, at least 1.
    public var failuresToBreakDown = 3

    /// How long a tier that has broken down is left alone; then one call tries it. Default 15 s.
    public var pause: Duration = .seconds(15)

    /// So many calls that were given up may still be under way in the tier; while there are more, it is not asked. Default
    /// 32, at least 1.
    public var abandonedCalls = 32

    public init() {}
}

/// A tier has broken down: it is not asked for a while, and everything goes on without it.
///
/// One is reported for each breakdown; the next only after the tier has worked again, and no sooner than five minutes
/// later.
public struct TierWarning: Hashable, Sendable, CustomStringConvertible {
    /// The tier's name.
    public let tier: String
    /// What went wrong last, in words.
    public let reason: String

    public var description: String { "The cache tier \(tier) does not work for now: \(reason)" }
}

/// Figures of one tier, since it was put into its list.
public struct TierStatistics: Hashable, Sendable {
    /// The tier's name.
    public let tier: String
    /// Whether it is asked now.
    public internal(set) var isWorking = true
    /// Look-ups that found something, and that found nothing.
    public internal(set) var hits = 0
    public internal(set) var misses = 0
    /// Changes that were made.
    public internal(set) var changes = 0
    /// Calls that failed, and that took too long.
    public internal(set) var failures = 0
    public internal(set) var late = 0
    /// Calls that were not made, because the tier had broken down.
    public internal(set) var skipped = 0

    init(tier: String) {
        self.tier = tier
    }
}
