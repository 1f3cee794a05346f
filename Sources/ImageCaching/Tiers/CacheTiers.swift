/// An ordered list of caches, the fastest first, asked as their policies say.
///
/// Every operation returns once, in bounded time: a tier that fails, is slow or never answers is a miss, or a change that
/// was not made; it is told once, as a ``TierWarning``. The only thing that is thrown is `CancellationError`, when the task
/// that asks is cancelled before the answer is there; it is thrown at once, whatever the tiers do. Without tiers nothing is
/// ever found.
///
/// ```swift
/// let tiers = CacheTiers([DiskTier(DiskCache(.init(directory: "/mnt/pictures")))])
/// ```
public final class CacheTiers: Sendable, ExpressibleByArrayLiteral {
    public let policies: TierPolicies
    private let tiers: [GuardedTier]

    /// - Parameters:
    ///   - tiers: the highest first.
    ///   - onWarning: called once for each breakdown, on the task that found out.
    public convenience init(
        _ tiers: [any CacheTier], policies: TierPolicies = TierPolicies(),
        onWarning: @escaping @Sendable (TierWarning) -> Void = { _ in }
    ) {
        self.init(tiers, policies: policies, time: TierTime(), onWarning: onWarning)
    }

    /// With a time of one's own, for tests.
    ///
    /// - Parameters:
    ///   - now: measures how long a tier is left alone after a breakdown.
    ///   - sleep: measures the deadlines; throws when the task is cancelled.
    public convenience init(
        _ tiers: [any CacheTier], policies: TierPolicies = TierPolicies(),
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        onWarning: @escaping @Sendable (TierWarning) -> Void = { _ in }
    ) {
        self.init(tiers, policies: policies, time: TierTime(now: now, sleep: sleep), onWarning: onWarning)
    }

    /// With the default policies.
    public convenience init(arrayLiteral elements: any CacheTier...) {
        self.init(elements)
    }

    private init(
        _ tiers: [any CacheTier], policies: TierPolicies, time: TierTime,
        onWarning: @escaping @Sendable (TierWarning) -> Void
    ) {
        self.policies = policies
        self.tiers = tiers.map { GuardedTier($0, time, onWarning) }
    }

    public var isEmpty: Bool { tiers.isEmpty }
    public var count: Int { tiers.count }

    /// Figures of each tier, the highest first.
    public var statistics: [TierStatistics] { tiers.map(\.statistics) }

    /// What a tier had.
    public struct Hit: Hashable, Sendable {
        public let entry: CacheEntry
        /// The place of the tier that had it: 0 is the highest.
        public let level: Int
    }

    /// Looks for an entry, as ``TierPolicies/query`` says.
    public func hit(for key: DiskKey) async throws(CancellationError) -> Hit? {
        try await first(policies.query, \.lookUp) {
            try await $0.entry(for: key)
        } noting: { statistics, entry in
            if entry == nil { statistics.misses += 1 } else { statistics.hits += 1 }
        }.map { Hit(entry: $0.value, level: $0.level) }
    }

    /// What is stored under a key, as ``TierPolicies/query`` says.
    public func entry(for key: DiskKey) async throws(CancellationError) -> CacheEntry? {
        try await hit(for: key)?.entry
    }

    /// Whether a tier has something under a key, as ``TierPolicies/contains`` says.
    public func contains(_ key: DiskKey) async throws(CancellationError) -> Bool {
        try await first(policies.contains, \.lookUp) {
            try await $0.contains(key) ? true : nil
        } noting: { _, _ in
        } != nil
    }

    /// Stores an entry, as ``TierPolicies/store`` says.
    public func store(_ entry: CacheEntry, for key: DiskKey) async throws(CancellationError) {
        try await change(policies.store) { try await $0.store(entry, for: key) }
    }

    /// Stores what a tier had in all that stand above it, at the same time.
    public func copyUp(_ hit: Hit, for key: DiskKey) async throws(CancellationError) {
        let entry = hit.entry
        try await change(.concurrent, in: 0..<min(max(0, hit.level), tiers.count)) {
            try await $0.store(entry, for: key)
        }
    }

    /// Removes an entry, as ``TierPolicies/remove`` says.
    public func remove(_ key: DiskKey) async throws(CancellationError) {
        try await change(policies.remove) { try await $0.remove(key) }
    }

    /// Removes all entries, as ``TierPolicies/clear`` says.
    public func removeAll() async throws(CancellationError) {
        try await change(policies.clear) { try await $0.removeAll() }
    }
}

// MARK: Running a policy

extension CacheTiers {
    private typealias Question<Value> = @Sendable (any CacheTier) async throws -> Value?

    private func change(
        _ policy: TierPolicy, in places: Range<Int>? = nil,
        _ change: @escaping @Sendable (any CacheTier) async throws -> Void
    ) async throws(CancellationError) {
        // Nothing is ever found, so all that the policy names are asked.
        let question: Question<Never> = { tier in
            try await change(tier)
            return nil
        }
        _ = try await first(policy, in: places, \.change, question) { statistics, _ in statistics.changes += 1 }
    }

    /// The one way in which all operations go: asks those whom the policy names until one has something.
    private func first<Value: Sendable>(
        _ policy: TierPolicy, in places: Range<Int>? = nil, _ deadline: @escaping @Sendable (TierLimits) -> Duration?,
        _ question: @escaping Question<Value>, noting note: @escaping @Sendable (inout TierStatistics, Value?) -> Void
    ) async throws(CancellationError) -> (value: Value, level: Int)? {
        @Sendable func ask(_ level: Int) async -> (value: Value, level: Int)? {
            let tier = tiers[level]
            let answer = await tier.ask(within: deadline(tier.limits), question, noting: note)
            return answer.flatMap(\.self).map { ($0, level) }
        }
        let places = places ?? policy.places(of: tiers.count)
        var found: (value: Value, level: Int)?
        if policy == .concurrent, places.count > 1 {
            found = await withTaskGroup(of: (value: Value, level: Int)?.self) { group in
                for level in places { group.addTask { await ask(level) } }
                defer { group.cancelAll() }
                return await group.first { $0 != nil } ?? nil
            }
        } else {
            for level in places where found == nil {
                if Task.isCancelled { break }
                found = await ask(level)
            }
        }
        if found == nil, Task.isCancelled { throw CancellationError() }
        return found
    }
}
