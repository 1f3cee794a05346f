import Dispatch
import Synchronization

/// Runs work that takes a processor for long, encoding for example, off the threads that Swift's tasks share.
final class LimitedQueue: Sendable {
    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let width: Int
    private let queue = DispatchQueue(label: "webimage.encode", attributes: .concurrent)

    /// - Parameter width: how much of it runs at once; at least one.
    init(width: Int) { self.width = max(1, width) }

    /// Does a piece of work in its turn, and returns what it returns.
    func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            add { continuation.resume(returning: work()) }
        }
    }

    private func add(_ job: @escaping @Sendable () -> Void) {
        let mayStart = state.withLock { state in
            guard state.running < width else {
                state.waiting.append(job)
                return false
            }
            state.running += 1
            return true
        }
        if mayStart { start(job) }
    }

    private func start(_ job: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            job()
            let next = state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.waiting.isEmpty else {
                    state.running -= 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            if let next { start(next) }
        }
    }
}
