/// Failures of a short while ago, so that what has just failed for good is not asked for again at once.
///
/// A value: it needs a lock around it where several threads use it. It is bounded, lives in memory alone, and forgets
/// by itself; ``FailureLifetime`` says how soon.
package struct FailureMemory<Key: Hashable & Sendable, Failure: Sendable>: Sendable {
    private var entries: AgeingTable<Key, (failure: Failure, end: ContinuousClock.Instant)>

    /// - Parameter capacity: of how many keys a failure is known at most. The one that was noted longest ago goes first.
    package init(capacity: Int = 1_024) {
        entries = AgeingTable(capacity: capacity)
    }

    /// How many are held. One whose time is over counts until it is asked for or pushed out.
    package var count: Int { entries.count }

    /// Notes the newest failure of a key, in the place of an older one.
    ///
    /// - Parameter lifetime: zero or less forgets the older one and notes nothing; more than an hour is an hour.
    package mutating func note(
        _ failure: Failure, for key: Key, lifetime: Duration, now: ContinuousClock.Instant
    ) {
        entries[key] = lifetime > .zero ? (failure, now + min(lifetime, .seconds(3_600))) : nil
    }

    /// The failure of a key, if its time is not over.
    package mutating func failure(for key: Key, now: ContinuousClock.Instant) -> Failure? {
        guard let entry = entries[key] else { return nil }
        if now < entry.end { return entry.failure }
        entries[key] = nil
        return nil
    }

    package mutating func forget(_ key: Key) { entries[key] = nil }

    package mutating func forgetAll() { entries.removeAll() }
}

extension FailureMemory where Failure == FetchError {
    /// Notes how a fetch failed, for as long as ``FailureLifetime`` says.
    ///
    /// - Parameter wallClock: nanoseconds since 1970.
    package mutating func note(
        _ error: FetchError, for key: Key, now: ContinuousClock.Instant, wallClock: Int64
    ) {
        note(error, for: key, lifetime: FailureLifetime.of(error, wallClock: wallClock), now: now)
    }
}
