import ImageFetching
import Synchronization

/// The identity of one piece of work that is under way, and its handle.
///
/// A result that comes in under a token which is no longer the current one for its key is late and is dropped.
final class WorkToken: Sendable {
    /// What carries the work out.
    enum Handle: Sendable {
        /// A look-up on the disk.
        case read(JobQueue.Job)
        /// The same, waiting for others to be decoded first.
        case parked(JobQueue.Job)
        /// A look-up in tiers.
        case search(Task<Void, Never>)
        case download(Task<Void, Never>, FetchTicket)
        /// A decode, or a step of processing.
        case compute(JobQueue.Job)
    }

    /// What happened to a token before it got its handle.
    enum Missed: Equatable {
        case cancellation
        case move
    }

    /// A moment at which work passes from one hand to the next.
    struct Turn {
        fileprivate let number: Int
        /// What the work is to be started with.
        let priority: ImagePriority
    }

    private struct State {
        var handle: Handle?
        var priority: ImagePriority
        var turn = 0
    }

    private let state: Mutex<State>
    private let flag = Atomic(false)

    init(priority: ImagePriority) {
        state = Mutex(State(handle: nil, priority: priority))
    }

    /// A single load from memory: decoders ask it for every strip of rows.
    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    var priority: ImagePriority { state.withLock { $0.priority } }

    /// Called before the work is handed on.
    func nextTurn() -> Turn {
        state.withLock { state in
            state.turn += 1
            return Turn(number: state.turn, priority: state.priority)
        }
    }

    /// Gives the token its handle, once the work was handed on. Whoever did that may be slower than the work itself: when
    /// the next turn has begun meanwhile, the handle is out of date and is dropped.
    ///
    /// - Returns: what the work has to be told at once, because it happened meanwhile.
    func attach(_ handle: Handle, in turn: Turn) -> Missed? {
        state.withLock { state in
            guard turn.number == state.turn else { return nil }
            state.handle = handle
            if isCancelled { return .cancellation }
            return state.priority == turn.priority ? nil : .move
        }
    }

    /// - Returns: the handle to stop; `nil` when there is none yet.
    @discardableResult
    func cancel() -> Handle? {
        state.withLock { state in
            flag.store(true, ordering: .relaxed)
            return state.handle
        }
    }

    /// Set under the lock of the graph, so that the last event's priority is the one that stays.
    func setPriority(_ priority: ImagePriority) {
        state.withLock { $0.priority = priority }
    }

    /// The handle, `nil` when there is none yet, and the priority that the work should have.
    var current: (handle: Handle?, priority: ImagePriority) {
        state.withLock { ($0.handle, $0.priority) }
    }
}
