import Synchronization

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.now = clock.now
/// clock.advance(by: .seconds(8))
/// ```
public final class ManualClock: Sendable {
    private struct State {
        var time: ContinuousClock.Instant
        var lastSleeper = 0
        var sleepers: [Int: (until: ContinuousClock.Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let start = ContinuousClock.now
    private let state: Mutex<State>
    private let wallStart: Int64

    /// - Parameter wall: what a clock on the wall shows at the start, in nanoseconds since 1970. Default: the first moment
    ///   of 2026.
    public init(wall: Int64 = 1_767_225_600 * 1_000_000_000) {
        state = Mutex(State(time: start))
        wallStart = wall
    }

    /// Reads the clock; pass this where a part takes its time from.
    public var now: @Sendable () -> ContinuousClock.Instant {
        { self.state.withLock(\.time) }
    }

    /// Reads the clock on the wall, in nanoseconds since 1970. It moves together with ``now``.
    public var wall: @Sendable () -> Int64 {
        {
            let (seconds, attoseconds) = (self.now() - self.start).components
            return self.wallStart + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }

    /// Moves the clock forward, or back for a negative duration, and wakes whoever slept until then.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.time += duration
            let due = state.sleepers.filter { $0.value.until <= state.time }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.until < $1.until }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// How many sleep until a later time.
    public var sleeperCount: Int { state.withLock(\.sleepers.count) }

    /// How often somebody wanted to sleep so far.
    public var sleepCount: Int { state.withLock(\.lastSleeper) }

    /// The same clock for whoever takes a `Clock` and sleeps by it.
    public var face: Face { Face(manual: self) }

    /// A ``ManualClock`` as a `Clock`.
    public struct Face: Clock {
        fileprivate let manual: ManualClock

        public var now: ContinuousClock.Instant { manual.now() }
        public var minimumResolution: Duration { .nanoseconds(1) }

        /// Returns when a test has moved the clock that far.
        ///
        /// - Throws: `CancellationError` when the task is cancelled meanwhile.
        public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            try await manual.sleep(until: deadline)
        }
    }

    private func sleep(until deadline: ContinuousClock.Instant) async throws {
        let id = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isOver = state.withLock { state in
                    // A cancellation that came first has found nobody to wake: `isCancelled` tells.
                    let isOver = state.time >= deadline || Task.isCancelled
                    if !isOver { state.sleepers[id] = (deadline, continuation) }
                    return isOver
                }
                if isOver { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
