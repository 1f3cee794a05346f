/// Which prefetches wait, run and are over: the state machine behind ``ImagePrefetcher``.
///
/// Batches take turns in the order in which they came. A value that does nothing by itself: every event returns
/// ``Effects``, which its owner carries out when the lock is free again.
struct PrefetchQueue {
    /// One item of one batch.
    struct Ticket: Hashable, Sendable {
        let batch: Int
        let index: Int
    }

    /// How an item ended.
    enum Outcome: Sendable {
        case loaded, failed, cancelled
    }

    /// What an event asks for, after the lock.
    struct Effects {
        var start: [Ticket] = []
        var stop: [Ticket] = []
        /// Batches whose figures have changed, with the new ones.
        var progress: [(batch: Int, PrefetchProgress)] = []
    }

    private struct Batch {
        /// The first item that was never started or cancelled.
        var next = 0
        var running: Set<Int> = []
        /// Cancelled before their turn.
        var skipped: Set<Int> = []
        var progress: PrefetchProgress
    }

    private let limit: Int
    private var batches: [Int: Batch] = [:]
    /// Batches with items that wait, in their order.
    private var order: [Int] = []
    private var running = 0
    private var isPaused = false

    /// - Parameter limit: how many items run at once; at least one.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// How many batches are not over.
    var openBatches: [Int] { Array(batches.keys) }

    /// A new batch. An empty one is over at once.
    mutating func add(_ batch: Int, count: Int) -> Effects {
        var effects = Effects()
        guard count > 0 else { return effects }
        batches[batch] = Batch(progress: PrefetchProgress(total: count))
        order.append(batch)
        fill(&effects)
        return effects
    }

    /// A started item is over.
    mutating func ended(_ ticket: Ticket, _ outcome: Outcome) -> Effects {
        var effects = Effects()
        guard batches[ticket.batch]?.running.remove(ticket.index) != nil else { return effects }
        running -= 1
        count(ticket.batch, outcome, &effects)
        fill(&effects)
        return effects
    }

    /// An item is not wanted any more. One that runs is stopped, and counts when it has ended.
    mutating func cancel(_ ticket: Ticket) -> Effects {
        var effects = Effects()
        cancel(ticket, &effects)
        return effects
    }

    /// A whole batch is not wanted any more.
    mutating func cancel(batch: Int) -> Effects {
        var effects = Effects()
        guard let state = batches[batch] else { return effects }
        for index in state.running.sorted() { cancel(Ticket(batch: batch, index: index), &effects) }
        for index in state.next..<state.progress.total { cancel(Ticket(batch: batch, index: index), &effects) }
        return effects
    }

    /// Holds back what has not started, or lets it go on.
    mutating func pause(_ isPaused: Bool) -> Effects {
        var effects = Effects()
        self.isPaused = isPaused
        fill(&effects)
        return effects
    }

    private mutating func cancel(_ ticket: Ticket, _ effects: inout Effects) {
        guard let batch = batches[ticket.batch], (0..<batch.progress.total).contains(ticket.index) else { return }
        if batch.running.contains(ticket.index) {
            effects.stop.append(ticket)
        } else if ticket.index >= batch.next, batches[ticket.batch]?.skipped.insert(ticket.index).inserted == true {
            count(ticket.batch, .cancelled, &effects)
        }
    }

    private mutating func count(_ number: Int, _ outcome: Outcome, _ effects: inout Effects) {
        guard var progress = batches[number]?.progress else { return }
        switch outcome {
        case .loaded: progress.loaded += 1
        case .failed: progress.failed += 1
        case .cancelled: progress.cancelled += 1
        }
        batches[number]?.progress = progress
        if progress.isOver {
            batches[number] = nil
            order.removeAll { $0 == number }
        }
        effects.progress.append((number, progress))
    }

    private mutating func fill(_ effects: inout Effects) {
        while !isPaused, running < limit, let number = order.first {
            guard let ticket = takeNext(of: number) else {
                order.removeFirst()
                continue
            }
            running += 1
            effects.start.append(ticket)
        }
    }

    private mutating func takeNext(of number: Int) -> Ticket? {
        guard var batch = batches[number] else { return nil }
        while batch.next < batch.progress.total, batch.skipped.remove(batch.next) != nil { batch.next += 1 }
        defer { batches[number] = batch }
        guard batch.next < batch.progress.total else { return nil }
        defer { batch.next += 1 }
        batch.running.insert(batch.next)
        return Ticket(batch: number, index: batch.next)
    }
}
