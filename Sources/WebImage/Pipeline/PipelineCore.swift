import ImageCaching
import ImageCoding
import ImageFetching
import Synchronization

/// What a pipeline's tasks share: the work graph under its lock, and the parts that carry out what the graph asks for.
final class PipelineCore: Sendable {
    typealias Graph = WorkGraph<WaiterReference, WorkValue>

    let memory: ImageMemoryCache?
    let sizes = SizesInMemory()
    let now: @Sendable () -> ContinuousClock.Instant
    let wallClock: @Sendable () -> Int64
    let observers: [any PipelineObserver]
    let writes = PendingWork()
    let pictures: PictureStage
    let bytes: ByteStage
    let results: ResultStage
    let backlog: Backlog
    let io: WorkerPool
    let cpu: WorkerPool
    let graph = Mutex(Graph())
    /// Addresses for which tiers are not asked for a while: what they had, or the disk had from them, was no picture.
    let distrusted = Mutex(FailureMemory<KeyDigest, Bool>())
    let failures = Mutex(FailureMemory<KeyDigest, RememberedFailure>())
    let hasSwept = Atomic(false)

    init(_ configuration: ImagePipeline.Configuration) {
        memory = configuration.memoryCache
        now = configuration.now
        wallClock = configuration.wallClock
        observers = configuration.observers
        backlog = Backlog(limit: configuration.undecodedByteLimit)
        pictures = PictureStage(coders: configuration.coders)
        bytes = ByteStage(
            disk: configuration.diskCache, tiers: configuration.tiers, fetcher: configuration.fetcher,
            backlog: backlog, now: configuration.now, wallClock: configuration.wallClock)
        results = ResultStage(bytes: bytes, pictures: pictures, encoding: configuration.resultEncoding)
        io = WorkerPool(name: "webimage-io", threadCount: configuration.ioThreads)
        cpu = WorkerPool(name: "webimage-cpu", threadCount: configuration.cpuThreads)
    }

    // MARK: What tasks ask for

    /// A look-up that neither waits nor allocates.
    func cached(_ request: ImageRequest) -> MemoryHit? {
        // A request with wishes of its own (RFC 9111 §5.2.1) is answered where headers are looked at.
        guard request.caching.memory.contains(.read), request.target?.isValid ?? true,
            request.headers.isEmpty || request.headers["Cache-Control"] == nil,
            let picture = picture(for: request),
            let use = picture.validity.use(request.caching.rule, wallClock)
        else { return nil }
        return MemoryHit(picture: picture, use: use)
    }

    private func picture(for request: ImageRequest) -> CachedPicture? {
        // Not bound to a name here: a cache that the pressure monitor holds weakly is slow to retain.
        if let exact = memory?.value(forKey: request.keys.goal) { return exact }
        if request.wantsAnimation, let still = memory?.value(forKey: request.keys.still), still.isStill { return still }
        guard request.caching.acceptedOversize > 1, let memory else { return nil }
        return sizes.larger(for: request, in: memory)
    }

    /// Starts a new task, one that nobody else knows yet.
    func start(_ task: ImageTask) {
        if let target = task.request.target, !target.isValid {
            task.finish(.failure(.invalidTarget(target, task.request)))
            return
        }
        guard task.request.caching.rule == .revalidate, bytes.isRemote(task.request) else {
            let mayHaveResult = results.mayBeStored(task.request)
            return begin(task, path: { mayHaveResult ? $0.resultPath : $0.picturePath })
        }
        showCached(task)
    }

    func start(_ task: DataTask) {
        begin(task, path: { WorkPath(source: $0.bytesGoal) })
    }

    /// Shows what the caches have, and then does the work.
    private func showCached(_ task: ImageTask) {
        var request = task.request
        request.caching.rule = .cacheOnly
        let first = ImageTask(request, self)
        start(first)
        Task { [self] in
            if let cached = try? await first.response { task.show(cached) }
            begin(task, path: { $0.picturePath })
        }
    }

    /// Joins the work on what a task wants, or starts it.
    func begin(_ task: some WorkWaiter, path: (ImageRequest) -> WorkPath) {
        let waiter = WaiterReference(task: task)
        let (effects, ready) = graph.withLock { graph -> (Graph.Effects, WorkValue?) in
            // Cancelled before it came here: nobody would take it out again.
            if task.isOver { return (Graph.Effects(), nil) }
            switch graph.join(waiter, goal: task.goal, priority: task.initialPriority) {
            case .waiting(let place, let effects):
                task.place = place
                return (effects, nil)
            case .ready(let value):
                return (Graph.Effects(), value)
            case nil:
                let request = task.request
                // Work that ended after the caller's own look-up has left its picture in memory: look once more before
                // anything is started twice.
                if task.goal.digest != request.keys.bytes, let hit = cached(request) {
                    return (Graph.Effects(), .picture(MadePicture(hit)))
                }
                task.place = 0
                return (graph.start(waiter, path: path(request), priority: request.priority), nil)
            }
        }
        if let ready { task.deliver(.success(ready)) }
        perform(effects)
    }

    /// Tells whoever observes. Without observers nothing is made of the event.
    func observe(_ event: () -> PipelineEvent) {
        guard !observers.isEmpty else { return }
        let event = event()
        for observer in observers { observer.observe(event) }
    }

    func cancel(_ task: some WorkWaiter) {
        perform(graph.withLock { $0.cancel(WaiterReference(task: task), at: task.place, goal: task.goal) })
    }

    func setPriority(_ priority: ImagePriority, of task: some WorkWaiter) {
        perform(
            graph.withLock {
                $0.setPriority(priority, of: WaiterReference(task: task), at: task.place, goal: task.goal)
            })
    }

    // MARK: What the graph asks for

    func perform(_ effects: Graph.Effects) {
        for token in effects.cancelled { stop(token.cancel()) }
        for token in effects.moved { move(token) }
        if let start = effects.start { begin(start) }
        for start in effects.moreStarts { begin(start) }
    }

    private func begin(_ start: Graph.Start) {
        switch start.input {
        case nil: load(start)
        case .bytes(let loaded): decode(start, loaded)
        case .picture(let made): process(start, made)
        }
    }

    /// Ends work that failed: all who wait for it, or for anything made of it, get the error.
    func fail(_ start: Graph.Start, _ error: any Error, stage: ImageError.Stage) {
        let failed = graph.withLock { $0.failed(start.key, token: start.token) }
        for waiter in failed.delivered {
            waiter.task.deliver(.failure(ImageError(error, stage: stage, waiter.task.request)))
        }
        perform(failed)
    }

    private func stop(_ handle: WorkToken.Handle?) {
        // Jobs ask their token before they begin, and a decode for every strip; only what awaits others has to be told.
        switch handle {
        case .download(let work, _), .search(let work): work.cancel()
        default: break
        }
    }

    /// Tells the work what its token says, until that is what it was told last: of two threads that come here at once
    /// neither leaves an older priority behind.
    private func move(_ token: WorkToken) {
        var told: ImagePriority?
        while true {
            let (handle, priority) = token.current
            guard let handle, priority != told else { return }
            switch handle {
            case .read(let job): io.setPriority(priority, of: job)
            case .parked(let job): backlog.setPriority(priority, of: job)
            // Tiers know no priority.
            case .search: break
            case .download(_, let ticket): bytes.fetcher.setPriority(priority.fetchPriority, for: ticket)
            case .compute(let job): cpu.setPriority(priority, of: job)
            }
            told = priority
        }
    }

    func attach(_ handle: WorkToken.Handle, to token: WorkToken, in turn: WorkToken.Turn) {
        switch token.attach(handle, in: turn) {
        case .cancellation: stop(handle)
        case .move: move(token)
        case nil: break
        }
    }
}
