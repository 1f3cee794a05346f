import Synchronization

/// Knows which work goes on in the background, so that a program can wait for what it has begun before it ends.
final class PendingWork: Sendable {
    /// Names one piece of work, in the order of their beginnings.
    typealias Ticket = UInt64

    private struct State {
        var next: Ticket = 0
        var pending: Set<Ticket> = []
        /// Each waits for all tickets below its own; in the order of these.
        var awaiting: [(bound: Ticket, continuation: UnsafeContinuation<Void, Never>)] = []

        /// Takes those out who have nothing left to wait for.
        mutating func ready() -> [UnsafeContinuation<Void, Never>] {
            guard !awaiting.isEmpty else { return [] }
            let oldest = pending.min() ?? next
            let count = awaiting.prefix { $0.bound <= oldest }.count
            defer { awaiting.removeFirst(count) }
            return awaiting.prefix(count).map(\.continuation)
        }
    }

    private let state = Mutex(State())

    /// Must be followed by ``end(_:)``, once.
    func begin() -> Ticket {
        state.withLock { state in
            defer { state.next += 1 }
            state.pending.insert(state.next)
            return state.next
        }
    }

    func end(_ ticket: Ticket) {
        let ready = state.withLock { state in
            state.pending.remove(ticket)
            return state.ready()
        }
        for continuation in ready { continuation.resume() }
    }

    /// Returns when everything has ended that had begun before the call. What begins later is not waited for.
    func wait() async {
        await withUnsafeContinuation { continuation in
            let ready = state.withLock { state in
                state.awaiting.append((state.next, continuation))
                return state.ready()
            }
            for continuation in ready { continuation.resume() }
        }
    }
}
