import Synchronization

/// Bounds the bytes that wait to be decoded or written: while too many lie there, nobody adds to them.
///
/// What is being read already may go past the limit, by no more than the reads and downloads that run at once.
final class Backlog: Sendable {
    private struct State {
        var held = 0
        var waiting = JobQueue()
    }

    /// Gives its bytes back when it goes.
    final class Claim: Sendable {
        private let backlog: Backlog
        private let count: Int

        fileprivate init(_ backlog: Backlog, _ count: Int) {
            self.backlog = backlog
            self.count = count
        }

        deinit { backlog.giveBack(count) }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: bytes; a single body may be larger.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Bytes that are held now, and how many wait to add to them.
    var counts: (held: Int, waiting: Int) { state.withLock { ($0.held, $0.waiting.count) } }

    /// Counts bytes for as long as the claim lives.
    func claim(_ count: Int) -> Claim {
        state.withLock { $0.held += count }
        return Claim(self, count)
    }

    /// Asks for room.
    ///
    /// - Parameter resume: called once there is room, if there was none. Whoever is resumed has to call ``pass()`` when
    ///   it has added what it adds, or found that it adds nothing.
    /// - Returns: `nil` when there is room at once, else what waits, which can be moved.
    func enter(_ priority: ImagePriority, _ resume: @escaping @Sendable () -> Void) -> JobQueue.Job? {
        state.withLock { state in
            guard state.held >= limit else { return nil }
            let job = JobQueue.Job(priority: priority, run: resume)
            state.waiting.append(job)
            return job
        }
    }

    /// Lets the next one on if there is room for it.
    func pass() {
        let next = state.withLock { $0.held < limit ? $0.waiting.next() : nil }
        next?.work()
    }

    func setPriority(_ priority: ImagePriority, of job: JobQueue.Job) {
        state.withLock { $0.waiting.move(job, to: priority) }
    }

    private func giveBack(_ count: Int) {
        state.withLock { $0.held -= count }
        pass()
    }
}

extension Backlog {
    /// Returns when there is room, at once when the task is cancelled. Followed by ``pass()``.
    func room(_ priority: ImagePriority) async {
        let once = Once()
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                once.set(continuation)
                if enter(priority, { if !once.resume() { self.pass() } }) == nil || Task.isCancelled {
                    _ = once.resume()
                }
            }
        } onCancel: {
            _ = once.resume()
        }
    }

    /// A continuation that is resumed by whoever comes first.
    private final class Once: Sendable {
        private let continuation = Mutex<UnsafeContinuation<Void, Never>?>(nil)

        func set(_ continuation: UnsafeContinuation<Void, Never>) {
            self.continuation.withLock { $0 = continuation }
        }

        /// - Returns: whether this call was the first.
        func resume() -> Bool {
            let first = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            first?.resume()
            return first != nil
        }
    }
}
