import Synchronization

/// How far a batch of prefetches is.
public struct PrefetchProgress: Hashable, Sendable {
    /// How many there are.
    public let total: Int
    /// How many are in the cache now, those that had been there among them.
    public internal(set) var loaded = 0
    /// How many ended with an error.
    public internal(set) var failed = 0
    /// How many were cancelled.
    public internal(set) var cancelled = 0

    init(total: Int) { self.total = total }

    /// How many are over, one way or the other.
    public var ended: Int { loaded + failed + cancelled }
    public var isOver: Bool { ended == total }
}

/// Requests that are prefetched together.
public final class PrefetchBatch: Sendable {
    private typealias Awaiting = [UnsafeContinuation<PrefetchProgress, Never>]
    private typealias Watching = [AsyncStream<PrefetchProgress>.Continuation]
    private typealias Listening = [AsyncStream<PrefetchOutcome>.Continuation]

    private struct State {
        var progress: PrefetchProgress
        var awaiting: Awaiting = []
        var watching: Watching = []
        var outcomes: [PrefetchOutcome] = []
        var listening: Listening = []
        /// The loads of the items that run.
        var tasks: [Int: ImagePrefetcher.Running] = [:]
        var priority: ImagePriority
    }

    /// What is loaded, in the order of the turns.
    public let requests: [ImageRequest]
    let number: Int
    private let prefetcher: ImagePrefetcher
    private let state: Mutex<State>

    init(_ requests: [ImageRequest], number: Int, priority: ImagePriority, prefetcher: ImagePrefetcher) {
        self.requests = requests
        self.number = number
        self.prefetcher = prefetcher
        state = Mutex(State(progress: PrefetchProgress(total: requests.count), priority: priority))
    }

    /// How far it is now.
    public var progress: PrefetchProgress { state.withLock { $0.progress } }

    /// The final figures, as soon as every item is over. Cancelling the Swift task that waits cancels nothing here.
    public var summary: PrefetchProgress {
        get async {
            await withUnsafeContinuation { continuation in
                let final: PrefetchProgress? = state.withLock { state in
                    if state.progress.isOver { return state.progress }
                    state.awaiting.append(continuation)
                    return nil
                }
                if let final { continuation.resume(returning: final) }
            }
        }
    }

    /// The figures after each item. Ends with the last; a reader that is slow sees only the newest.
    public var updates: AsyncStream<PrefetchProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let progress = state.withLock { state in
                if !state.progress.isOver { state.watching.append(continuation) }
                return state.progress
            }
            continuation.yield(progress)
            if progress.isOver { continuation.finish() }
        }
    }

    /// How each item ended, from the first on, in the order of their ends. Ends with the last; a stream that nobody reads
    /// keeps them all. An item that was cancelled before its turn has no outcome.
    public var outcomes: AsyncStream<PrefetchOutcome> {
        AsyncStream { continuation in
            // Under the lock: what ends meanwhile comes after, and the end after that.
            state.withLock { state in
                for outcome in state.outcomes { continuation.yield(outcome) }
                if state.progress.isOver { continuation.finish() } else { state.listening.append(continuation) }
            }
        }
    }

    /// Cancels what is not over.
    public func cancel() { prefetcher.cancel(self) }

    /// Cancels one item and leaves the others alone.
    public func cancel(at index: Int) { prefetcher.cancel(self, index) }

    /// How urgent the batch is. Default ``ImagePriority/low``: behind everything that is on the screen.
    public var priority: ImagePriority {
        get { state.withLock { $0.priority } }
        set {
            let tasks = state.withLock { state in
                state.priority = newValue
                return state.tasks.values
            }
            for task in tasks { task.setPriority(newValue) }
        }
    }

    func running(_ task: ImagePrefetcher.Running?, at index: Int) {
        state.withLock { $0.tasks[index] = task }
    }

    func task(at index: Int) -> ImagePrefetcher.Running? {
        state.withLock { $0.tasks[index] }
    }

    /// An item is over. Comes before the figures that count it.
    func ended(_ index: Int, _ result: Result<SourceTier, ImageError>) {
        let outcome = PrefetchOutcome(index: index, result: result)
        state.withLock { state in
            state.outcomes.append(outcome)
            for continuation in state.listening { continuation.yield(outcome) }
        }
    }

    func update(_ progress: PrefetchProgress) {
        let (watching, awaiting, listening) = state.withLock { state -> (Watching, Awaiting, Listening) in
            // Of two threads that come here at once, the later count stays.
            if progress.ended > state.progress.ended { state.progress = progress }
            guard state.progress.isOver else { return (state.watching, [], []) }
            defer { (state.watching, state.awaiting, state.listening) = ([], [], []) }
            return (state.watching, state.awaiting, state.listening)
        }
        for continuation in listening { continuation.finish() }
        for continuation in watching {
            continuation.yield(progress)
            if progress.isOver { continuation.finish() }
        }
        for continuation in awaiting { continuation.resume(returning: progress) }
    }
}
