/// In which order waiting fetches of the same priority get their turn.
public enum FetchOrder: Sendable, Hashable {
    /// The one that waits longest first.
    case fifo
    /// The newest first: what was scrolled to last is seen now.
    case lifo
}

/// Who may run and who waits. A value: each transition returns the tickets whose turn has come because of it.
///
/// Waiting tickets stand in a heap by priority and order. A changed or cancelled one leaves its old entry there, which
/// is passed over when it comes up, so that every transition costs a logarithm at most.
struct SlotQueue<Ticket: Hashable & Sendable>: Sendable {
    private struct Entry: Comparable, Sendable {
        let priority: FetchPriority
        /// Greater comes first.
        let rank: Int
        let ticket: Ticket

        static func < (left: Entry, right: Entry) -> Bool {
            (left.priority, left.rank) < (right.priority, right.rank)
        }

        static func == (left: Entry, right: Entry) -> Bool {
            left.priority == right.priority && left.rank == right.rank
        }
    }

    /// The most that run at once.
    let slots: Int
    /// The most of them with a priority below normal, so that prefetching never takes every slot. While anything more
    /// urgent runs only one of them is given to a ticket below normal.
    let lowSlots: Int
    let order: FetchOrder

    private var running: [Ticket: FetchPriority] = [:]
    private var lowRunning = 0
    private var waiting: [Ticket: Entry] = [:]
    private var heap = Heap<Entry>()
    private var arrivals = 0
    private var isPaused = false

    init(slots: Int, lowSlots: Int, order: FetchOrder) {
        self.slots = max(1, slots)
        self.lowSlots = min(max(1, lowSlots), self.slots)
        self.order = order
    }

    var runningCount: Int { running.count }
    var waitingCount: Int { waiting.count }

    /// A new ticket; it must be neither waiting nor running.
    mutating func enqueue(_ ticket: Ticket, priority: FetchPriority) -> [Ticket] {
        precondition(waiting[ticket] == nil && running[ticket] == nil, "A ticket is for one fetch at a time")
        arrivals += 1
        wait(Entry(priority: priority, rank: order == .fifo ? -arrivals : arrivals, ticket: ticket))
        return grant()
    }

    /// A running ticket is done. Does nothing for others.
    mutating func release(_ ticket: Ticket) -> [Ticket] {
        guard let priority = running.removeValue(forKey: ticket) else { return [] }
        if priority < .normal { lowRunning -= 1 }
        return grant()
    }

    /// Takes a waiting ticket out. A running one keeps its slot until it is released.
    ///
    /// - Returns: whether it was waiting.
    mutating func cancel(_ ticket: Ticket) -> Bool {
        guard waiting.removeValue(forKey: ticket) != nil else { return false }
        compact()
        return true
    }

    /// A waiting ticket moves to the place that it would have had with this priority from the start. A running one
    /// counts as low or not from here on.
    mutating func setPriority(_ priority: FetchPriority, for ticket: Ticket) -> [Ticket] {
        if let entry = waiting[ticket] {
            guard entry.priority != priority else { return [] }
            wait(Entry(priority: priority, rank: entry.rank, ticket: ticket))
        } else if let old = running.updateValue(priority, forKey: ticket) {
            lowRunning += (priority < .normal ? 1 : 0) - (old < .normal ? 1 : 0)
        } else {
            running[ticket] = nil
            return []
        }
        return grant()
    }

    /// While paused nobody's turn comes.
    mutating func pause(_ isPaused: Bool) -> [Ticket] {
        self.isPaused = isPaused
        return grant()
    }

    private mutating func wait(_ entry: Entry) {
        waiting[entry.ticket] = entry
        heap.insert(entry)
        compact()
    }

    private mutating func grant() -> [Ticket] {
        var granted: [Ticket] = []
        while !isPaused, running.count < slots, let entry = heap.greatest {
            guard waiting[entry.ticket] == entry else {
                heap.removeGreatest()
                continue
            }
            let isLow = entry.priority < .normal
            // The greatest is low, so all that wait are. Beside something more urgent one of them goes on, so that none
            // of them starves; more would take its share of the line.
            if isLow, lowRunning >= (running.count > lowRunning ? 1 : lowSlots) { break }
            heap.removeGreatest()
            waiting[entry.ticket] = nil
            running[entry.ticket] = entry.priority
            if isLow { lowRunning += 1 }
            granted.append(entry.ticket)
        }
        return granted
    }

    /// Keeps left-over entries from outnumbering the true ones.
    private mutating func compact() {
        if heap.count > 2 * waiting.count + 32 { heap = Heap(Array(waiting.values)) }
    }
}
