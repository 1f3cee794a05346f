import Synchronization

/// Gives out the download slots: ``SlotQueue`` behind one lock, with the tasks that wait.
final class DownloadQueue: Sendable {
    private enum Waiter {
        /// On its way to its continuation.
        case arriving
        /// Answered before the continuation was there.
        case answered(granted: Bool)
        case waiting(CheckedContinuation<Bool, Never>)
    }

    private struct State {
        var slots: SlotQueue<FetchTicket>
        var waiters: [FetchTicket: Waiter] = [:]

        /// Notes an answer; returns the continuation that has to hear it.
        mutating func answer(_ ticket: FetchTicket, granted: Bool) -> CheckedContinuation<Bool, Never>? {
            switch waiters[ticket] {
            case .waiting(let continuation):
                waiters[ticket] = nil
                return continuation
            case .arriving:
                waiters[ticket] = .answered(granted: granted)
                return nil
            case .answered, nil:
                return nil
            }
        }
    }

    private let state: Mutex<State>

    init(slots: Int, lowSlots: Int, order: FetchOrder) {
        state = Mutex(State(slots: SlotQueue(slots: slots, lowSlots: lowSlots, order: order)))
    }

    /// Waits for a slot, which the caller must give back by ``release(_:)``.
    ///
    /// - Throws: `cancelled` when the task is cancelled before its turn; then there is nothing to give back.
    ///
    /// - Parameter priority: asked inside the lock, so that a change comes either before or after, never in between.
    func acquire(_ ticket: FetchTicket, priority: () -> FetchPriority) async throws(FetchError) {
        let isGranted = await withTaskCancellationHandler {
            perform { state in
                state.waiters[ticket] = .arriving
                return state.slots.enqueue(ticket, priority: priority())
            }
            return await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if case .answered(let granted) = state.waiters[ticket] {
                        state.waiters[ticket] = nil
                        return granted
                    }
                    // Cancelled before it was in the queue: the handler found nothing to take out.
                    if Task.isCancelled, state.slots.cancel(ticket) {
                        state.waiters[ticket] = nil
                        return false
                    }
                    state.waiters[ticket] = .waiting(continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.slots.cancel(ticket) ? state.answer(ticket, granted: false) : nil
            }
            waiter?.resume(returning: false)
        }
        if !isGranted { throw .cancelled }
    }

    func release(_ ticket: FetchTicket) {
        perform { $0.slots.release(ticket) }
    }

    func setPriority(_ priority: FetchPriority, for ticket: FetchTicket) {
        perform { $0.slots.setPriority(priority, for: ticket) }
    }

    func pause(_ isPaused: Bool) {
        perform { $0.slots.pause(isPaused) }
    }

    var counts: (running: Int, waiting: Int) {
        state.withLock { ($0.slots.runningCount, $0.slots.waitingCount) }
    }

    /// Makes a transition and tells those whose turn has come, outside the lock.
    private func perform(_ transition: (inout sending State) -> [FetchTicket]) {
        let woken = state.withLock { state in
            transition(&state).compactMap { state.answer($0, granted: true) }
        }
        for continuation in woken { continuation.resume(returning: true) }
    }
}
