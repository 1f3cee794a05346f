import Synchronization

/// The handle of one piece of work that is under way: stops it and tells it how urgent it is.
///
/// Its identity is the work's identity: a result that comes in under a token which is no longer the current one for its
/// key is late and is dropped.
final class WorkToken: Sendable {
    private struct State {
        var isCancelled = false
        var onCancel: (@Sendable () -> Void)?
        var onPriority: (@Sendable (ImagePriority) -> Void)?
        var priority: ImagePriority
    }

    private let state: Mutex<State>
    private let flag = Atomic(false)

    init(priority: ImagePriority) {
        state = Mutex(State(priority: priority))
    }

    /// A single load from memory: decoders ask it for every strip of rows.
    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    var priority: ImagePriority { state.withLock { $0.priority } }

    /// Says how the work is stopped and moved. What happened before this call is made up for at once.
    func attach(
        onCancel: @escaping @Sendable () -> Void, onPriority: @escaping @Sendable (ImagePriority) -> Void
    ) {
        let (isCancelled, priority) = state.withLock { state in
            state.onCancel = onCancel
            state.onPriority = onPriority
            return (state.isCancelled, state.priority)
        }
        if isCancelled { onCancel() } else { onPriority(priority) }
    }

    func cancel() {
        flag.store(true, ordering: .relaxed)
        let onCancel = state.withLock { state in
            state.isCancelled = true
            return state.onCancel
        }
        onCancel?()
    }

    func setPriority(_ priority: ImagePriority) {
        let onPriority = state.withLock { state in
            state.priority = priority
            return state.onPriority
        }
        onPriority?(priority)
    }
}
