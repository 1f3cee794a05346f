extension WorkGraph {
    struct Waiting {
        let waiter: Waiter
        var priority: ImagePriority
    }

    /// Work that is under way, or whose result is kept for other work.
    struct Node {
        let depth: Int
        let maker: Waiter
        /// What it waits for or works on; `nil` for bytes, and once it is done.
        var parent: WorkKey?
        /// `nil` until its input is there: before that there is nothing to stop or to move.
        var token: WorkToken?
        var waiters = Roster<Waiting>()
        /// Work that takes the result, each with its priority in the tally.
        var children = SmallMap<WorkKey, ImagePriority>()
        var tally: PriorityTally
        /// The highest of the tally, as the token and the parent know it.
        var priority: ImagePriority
        /// `nil` while it is being made.
        var value: Value?

        /// - Returns: whether the waiter was there.
        mutating func remove(_ waiter: Waiter, at place: Int) -> Bool {
            guard let entry = waiters[place], entry.waiter == waiter else { return false }
            waiters[place] = nil
            tally.remove(entry.priority)
            return true
        }

        /// - Returns: whether the waiter was there.
        mutating func move(_ waiter: Waiter, at place: Int, to priority: ImagePriority) -> Bool {
            guard let entry = waiters[place], entry.waiter == waiter else { return false }
            waiters[place]?.priority = priority
            tally.remove(entry.priority)
            tally.add(priority)
            return true
        }

        /// Changes the priority of work that takes the result; `nil` takes the work out.
        ///
        /// - Returns: whether there was such work.
        mutating func setChild(_ child: WorkKey, _ priority: ImagePriority?) -> Bool {
            guard let old = children[child] else { return false }
            children[child] = priority
            tally.remove(old)
            if let priority { tally.add(priority) }
            return true
        }

        /// - Returns: `nil` when this is not the work that was to end, otherwise who gets the result, what the work took,
        ///   and what takes its result.
        mutating func finish(
            _ token: WorkToken, with value: Value
        ) -> (delivered: [Waiter], parent: WorkKey?, children: [WorkKey])? {
            guard self.token === token, self.value == nil else { return nil }
            self.value = value
            let delivered = waiters.elements
            for entry in delivered { tally.remove(entry.priority) }
            waiters = Roster()
            defer { parent = nil }
            return (delivered.map(\.waiter), parent, children.keys)
        }

        /// - Returns: `nil` when the highest priority is what it was, otherwise the new one, the token of what is under
        ///   way, and what it waits for.
        mutating func takeHighestPriority() -> (ImagePriority, WorkToken?, parent: WorkKey?)? {
            guard let highest = tally.highest, highest != priority else { return nil }
            priority = highest
            return (highest, value == nil ? token : nil, parent)
        }
    }
}
