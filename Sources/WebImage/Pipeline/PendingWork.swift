import Synchronization

/// Counts work that goes on in the background, so that a program can wait for it before it ends.
final class PendingWork: Sendable {
    private struct State {
        var count = 0
        var awaiting: [UnsafeContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func begin() {
        state.withLock { $0.count += 1 }
    }

    func end() {
        let awaiting = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.awaiting = [] }
            return state.awaiting
        }
        for continuation in awaiting { continuation.resume() }
    }

    /// Returns at a moment at which nothing was pending.
    func wait() async {
        await withUnsafeContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.count > 0 { state.awaiting.append(continuation) }
                return state.count == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
