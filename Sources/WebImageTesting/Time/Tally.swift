import Synchronization

/// Counts events and lets a test wait for a count, without sleeping.
public final class Tally: Sendable {
    private struct State {
        var count = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// How many events there were.
    public var count: Int { state.withLock { $0.count } }

    /// Counts one event.
    public func add() {
        let reached = state.withLock { state in
            state.count += 1
            let reached = state.waiting.filter { $0.count <= state.count }
            state.waiting.removeAll { $0.count <= state.count }
            return reached
        }
        for (_, continuation) in reached { continuation.resume() }
    }

    /// Returns when there were at least so many events.
    public func reaches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.count < count { state.waiting.append((count, continuation)) }
                return state.count >= count
            }
            if isReached { continuation.resume() }
        }
    }
}
