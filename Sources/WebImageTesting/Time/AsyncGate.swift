import Synchronization

/// Holds tasks up until a test lets them through. It can be closed again.
public final class AsyncGate: Sendable {
    private struct State {
        var isOpen: Bool
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state: Mutex<State>

    public init(isOpen: Bool = false) {
        state = Mutex(State(isOpen: isOpen))
    }

    /// Lets all through that wait, and all that come later.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Holds up all that come later.
    public func close() {
        state.withLock { $0.isOpen = false }
    }

    /// Returns when the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    public func pass() async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isOpen = state.withLock { state in
                    // A cancellation that came first has found nobody to wake: `isCancelled` tells.
                    let passes = state.isOpen || Task.isCancelled
                    if !passes { state.waiting[id] = continuation }
                    return passes
                }
                if isOpen { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
            continuation?.resume(throwing: CancellationError())
        }
    }
}
