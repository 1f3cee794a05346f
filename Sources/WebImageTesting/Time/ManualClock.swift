import Synchronization

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.now = clock.now
/// clock.advance(by: .seconds(8))
/// ```
public final class ManualClock: Sendable {
    private let start = ContinuousClock.now
    private let time: Mutex<ContinuousClock.Instant>
    private let wallStart: Int64

    /// - Parameter wall: what a clock on the wall shows at the start, in nanoseconds since 1970. Default: the first moment
    ///   of 2026.
    public init(wall: Int64 = 1_767_225_600 * 1_000_000_000) {
        time = Mutex(start)
        wallStart = wall
    }

    /// Reads the clock; pass this where a part takes its time from.
    public var now: @Sendable () -> ContinuousClock.Instant {
        { self.time.withLock { $0 } }
    }

    /// Reads the clock on the wall, in nanoseconds since 1970. It moves together with ``now``.
    public var wall: @Sendable () -> Int64 {
        {
            let (seconds, attoseconds) = (self.now() - self.start).components
            return self.wallStart + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }

    /// Moves the clock forward, or back for a negative duration.
    public func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }
}
