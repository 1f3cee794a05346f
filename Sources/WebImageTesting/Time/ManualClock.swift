import Synchronization

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.now = clock.now
/// clock.advance(by: .seconds(8))
/// ```
public final class ManualClock: Sendable {
    private let time: Mutex<ContinuousClock.Instant>

    public init() {
        time = Mutex(ContinuousClock.now)
    }

    /// Reads the clock; pass this where a part takes its time from.
    public var now: @Sendable () -> ContinuousClock.Instant {
        { self.time.withLock { $0 } }
    }

    /// Moves the clock forward, or back for a negative duration.
    public func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }
}
