/// Which work is under way and who waits for it: the state machine behind the pipeline.
///
/// Work is a tree for each source. The original bytes of a URL are its root, pictures are decoded from them, and every
/// step of processing takes the picture before it. Tasks wait for any of them, and each is shared by all who need the
/// same thing:
///
///     task ─┐
///     task ─┴─▶ picture 400 px ──────────────┐
///     task ───▶ blurred ──▶ picture 100 px ──┴─▶ bytes of the URL ◀── task
///
/// Work has the highest priority of those who need it, and is cancelled when the last of them leaves. A result stays
/// until the last work that takes it is done.
///
/// A value that does nothing by itself. Every event returns ``Effects``; the pipeline holds the lock around the value and
/// carries the effects out when the lock is free again.
struct WorkGraph<Waiter: Equatable & Sendable, Value: Sendable> {
    /// Work that is to begin, on behalf of the task that asked for it first.
    struct Start {
        let key: WorkKey
        /// 0 for bytes, 1 for the decoded picture, 2 for the first step of processing.
        let depth: Int
        let token: WorkToken
        let maker: Waiter
        /// The result that it takes; `nil` for bytes.
        let input: Value?
    }

    /// What an event asks the pipeline to do, after the lock.
    struct Effects {
        /// Nearly always one or none, so the first needs no memory.
        var start: Start?
        var moreStarts: [Start] = []
        /// Nobody needs these any more.
        var cancelled: [WorkToken] = []
        /// The most urgent waiter of these has changed.
        var moved: [WorkToken] = []
        /// These get the event's result.
        var delivered: [Waiter] = []

        fileprivate mutating func add(_ start: Start) {
            if self.start == nil { self.start = start } else { moreStarts.append(start) }
        }
    }

    /// What became of a wish to join.
    enum Joined {
        /// The task waits at a place.
        case waiting(place: Int, Effects)
        /// The result is there, because other work still takes it.
        case ready(Value)
    }

    private var nodes: [WorkKey: Node] = [:]

    /// How much work is under way, or kept for other work.
    var count: Int { nodes.count }

    // MARK: What tasks do

    /// A task joins the work on what it wants.
    ///
    /// - Returns: `nil` when there is no such work.
    mutating func join(_ waiter: Waiter, goal key: WorkKey, priority: ImagePriority) -> Joined? {
        guard let index = nodes.index(forKey: key) else { return nil }
        let (joined, isMoreUrgent) = change(index) { node -> (Joined, Bool) in
            if let value = node.value { return (.ready(value), false) }
            let place = node.waiters.add(Waiting(waiter: waiter, priority: priority))
            node.tally.add(priority)
            return (.waiting(place: place, Effects()), priority > node.priority)
        }
        guard isMoreUrgent, case .waiting(let place, var effects) = joined else { return joined }
        refreshPriority(of: key, &effects)
        return .waiting(place: place, effects)
    }

    /// A task starts the work on something that nobody works on, and on all before it that is missing. Its place is 0.
    mutating func start(_ waiter: Waiter, path: WorkPath, priority: ImagePriority) -> Effects {
        var effects = Effects()
        var depth = path.count - 1
        var child: WorkKey?
        while depth >= 0 {
            let key = path[depth]
            if let index = nodes.index(forKey: key) {
                if let child {
                    let value = change(index) { node in
                        node.children[child] = priority
                        node.tally.add(priority)
                        return node.value
                    }
                    if let value { begin(child, value, &effects) }
                    refreshPriority(of: key, &effects)
                }
                return effects
            }
            var node = Node(
                depth: depth, maker: waiter, parent: depth == 0 ? nil : path[depth - 1],
                tally: PriorityTally(priority), priority: priority)
            if let child {
                node.children = SmallMap(child, priority)
            } else {
                node.waiters = Roster(Waiting(waiter: waiter, priority: priority))
            }
            nodes[key] = node
            child = key
            depth -= 1
        }
        begin(path.source, nil, &effects)
        return effects
    }

    /// A task leaves. The last one takes the work with it.
    mutating func cancel(_ waiter: Waiter, at place: Int, goal key: WorkKey) -> Effects {
        var effects = Effects()
        guard let index = nodes.index(forKey: key), change(index, { $0.remove(waiter, at: place) }) else {
            return effects
        }
        settle(key, &effects)
        return effects
    }

    /// A task has become more or less urgent.
    mutating func setPriority(
        _ priority: ImagePriority, of waiter: Waiter, at place: Int, goal key: WorkKey
    ) -> Effects {
        var effects = Effects()
        guard let index = nodes.index(forKey: key), change(index, { $0.move(waiter, at: place, to: priority) }) else {
            return effects
        }
        refreshPriority(of: key, &effects)
        return effects
    }

    // MARK: What work does

    /// The tasks that wait for work or for anything that is made of it, for reporting progress.
    func waiters(of key: WorkKey, token: WorkToken) -> [Waiter] {
        guard let node = nodes[key], node.token === token else { return [] }
        return waiters(below: node)
    }

    /// Every task that waits for anything.
    var allWaiters: [Waiter] { nodes.values.flatMap { $0.waiters.elements.map(\.waiter) } }

    /// Whether a task waits for just this, rather than for something made of it.
    func isAwaited(_ key: WorkKey, token: WorkToken) -> Bool {
        guard let node = nodes[key], node.token === token else { return false }
        return !node.waiters.isEmpty
    }

    /// A result is there: whoever waits for it gets it, and all work that takes it begins.
    mutating func finished(_ key: WorkKey, token: WorkToken, with value: Value) -> Effects {
        var effects = Effects()
        guard let index = nodes.index(forKey: key),
            let (delivered, parent, children) = change(index, { $0.finish(token, with: value) })
        else { return effects }
        effects.delivered = delivered
        for child in children { begin(child, value, &effects) }
        settle(key, &effects)
        if let parent { leave(parent, child: key, &effects) }
        return effects
    }

    /// There will be no result: everybody who waits for it, or for anything made of it, gets the error.
    mutating func failed(_ key: WorkKey, token: WorkToken) -> Effects {
        var effects = Effects()
        guard let node = nodes[key], node.token === token, node.value == nil else { return effects }
        effects.delivered = waiters(below: node)
        removeTree(key)
        if let parent = node.parent { leave(parent, child: key, &effects) }
        return effects
    }

    // MARK: Rules

    /// The input of some work is there.
    private mutating func begin(_ key: WorkKey, _ input: Value?, _ effects: inout Effects) {
        guard let index = nodes.index(forKey: key) else { return }
        effects.add(
            change(index) { node in
                let token = WorkToken(priority: node.priority)
                node.token = token
                return Start(key: key, depth: node.depth, token: token, maker: node.maker, input: input)
            })
    }

    /// Somebody has left: work that nobody needs ends, other work may have become less urgent.
    private mutating func settle(_ key: WorkKey, _ effects: inout Effects) {
        guard let index = nodes.index(forKey: key) else { return }
        guard change(index, { $0.waiters.isEmpty && $0.children.isEmpty }) else {
            return refreshPriority(of: key, &effects)
        }
        let node = nodes.remove(at: index).value
        if node.value == nil, let token = node.token { effects.cancelled.append(token) }
        if let parent = node.parent { leave(parent, child: key, &effects) }
    }

    /// Work no longer takes its parent's result.
    private mutating func leave(_ parent: WorkKey, child: WorkKey, _ effects: inout Effects) {
        guard let index = nodes.index(forKey: parent), change(index, { $0.setChild(child, nil) }) else { return }
        settle(parent, &effects)
    }

    /// Passes the highest priority of those who need a work on, if it has changed.
    private mutating func refreshPriority(of key: WorkKey, _ effects: inout Effects) {
        guard let index = nodes.index(forKey: key),
            let (highest, token, parent) = change(index, { $0.takeHighestPriority() })
        else { return }
        if let token {
            token.setPriority(highest)
            effects.moved.append(token)
        }
        guard let parent, let above = nodes.index(forKey: parent), change(above, { $0.setChild(key, highest) }) else {
            return
        }
        refreshPriority(of: parent, &effects)
    }

    /// Works on a node in one access: reading a part of a value in a dictionary copies all of it.
    private mutating func change<Result>(
        _ index: Dictionary<WorkKey, Node>.Index, _ body: (inout Node) -> Result
    ) -> Result {
        body(&nodes.values[index])
    }

    private func waiters(below node: Node) -> [Waiter] {
        node.waiters.elements.map(\.waiter)
            + node.children.keys.flatMap { nodes[$0].map(waiters(below:)) ?? [] }
    }

    private mutating func removeTree(_ key: WorkKey) {
        guard let node = nodes.removeValue(forKey: key) else { return }
        for child in node.children.keys { removeTree(child) }
    }
}
