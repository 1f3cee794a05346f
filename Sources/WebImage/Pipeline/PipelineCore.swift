import ImageCaching
import ImageCoding
import ImageFetching
import Synchronization

/// What a pipeline's tasks share: the work graph under its lock, and the parts that carry out what the graph asks for.
final class PipelineCore: Sendable {
    typealias Graph = WorkGraph<ImageTask, LoadedBytes>

    let memory: ImageMemoryCache?
    let now: @Sendable () -> ContinuousClock.Instant
    let writes = PendingWork()
    private let pictures: PictureStage
    private let bytes: ByteStage
    private let io: WorkerPool
    private let cpu: WorkerPool
    private let graph = Mutex(Graph())
    private let hasSwept = Atomic(false)

    init(_ configuration: ImagePipeline.Configuration) {
        memory = configuration.memoryCache
        now = configuration.now
        pictures = PictureStage(coders: configuration.coders)
        bytes = ByteStage(disk: configuration.diskCache, fetcher: configuration.fetcher, now: configuration.now)
        io = WorkerPool(name: "webimage-io", threadCount: configuration.ioThreads)
        cpu = WorkerPool(name: "webimage-cpu", threadCount: configuration.cpuThreads)
    }

    // MARK: What tasks ask for

    /// A look-up that neither waits nor allocates.
    func cached(_ request: ImageRequest) -> CachedPicture? {
        guard request.caching.memory.contains(.read), request.target?.isValid ?? true else { return nil }
        return memory?.value(forKey: request.keys.picture)
    }

    func start(_ task: ImageTask) {
        if let target = task.request.target, !target.isValid {
            task.finish(.failure(.invalidTarget(target, task.request)))
            return
        }
        let (effects, hit) = graph.withLock { graph -> (Graph.Effects, CachedPicture?) in
            let key = task.request.pictureKey
            if let joined = graph.join(task, picture: key, priority: task.request.priority) { return (joined, nil) }
            // Work that ended after the caller's own look-up has left its picture in memory: look once more before
            // anything is started twice.
            if let hit = cached(task.request) { return (Graph.Effects(), hit) }
            return (graph.start(task, picture: key, bytes: task.request.byteKey, priority: task.request.priority), nil)
        }
        if let hit { task.finish(.success(hit.response(tier: .memory, timings: timings(of: task)))) }
        perform(effects)
    }

    func cancel(_ task: ImageTask) {
        perform(graph.withLock { $0.cancel(task, picture: task.request.pictureKey) })
    }

    func setPriority(_ priority: ImagePriority, of task: ImageTask) {
        perform(graph.withLock { $0.setPriority(priority, of: task, picture: task.request.pictureKey) })
    }

    /// Bytes and header, without any sharing.
    func info(for request: ImageRequest) async throws(ImageError) -> (info: ImageInfo, byteCount: Int) {
        let work = Task(executorPreference: io) { [bytes, pictures] () -> Result<(ImageInfo, Int), ImageError> in
            do {
                let loaded = try await bytes.bytes(
                    for: request, ticket: FetchTicket(), priority: { request.priority }, onProgress: { _ in })
                let info = try loaded.bytes.withUnsafeBytes { try pictures.coders.info(of: $0) }
                return .success((info, loaded.bytes.count))
            } catch {
                return .failure(ImageError(error, stage: .decode, request))
            }
        }
        let (info, byteCount) = try await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }.get()
        return (info, byteCount)
    }

    // MARK: What the graph asks for

    private func perform(_ effects: Graph.Effects) {
        for token in effects.cancelled { stop(token.cancel()) }
        for token in effects.moved { move(token) }
        if let (key, token, task) = effects.startBytes { load(key, token, for: task.request) }
        for (key, token, task, loaded) in effects.startPictures { decode(key, token, loaded, for: task.request) }
    }

    private func stop(_ handle: WorkToken.Handle?) {
        // A decode asks its token for every strip; only a download has to be told.
        if case .download(let work, _) = handle { work.cancel() }
    }

    /// Tells the work what its token says, until that is what it was told last: of two threads that come here at once
    /// neither leaves an older priority behind.
    private func move(_ token: WorkToken) {
        var told: ImagePriority?
        while true {
            let (handle, priority) = token.current
            guard let handle, priority != told else { return }
            switch handle {
            case .download(_, let ticket): bytes.fetcher.setPriority(priority.fetchPriority, for: ticket)
            case .decode(let job): cpu.setPriority(priority, of: job)
            }
            told = priority
        }
    }

    private func attach(_ handle: WorkToken.Handle, to token: WorkToken, startedWith priority: ImagePriority) {
        switch token.attach(handle, startedWith: priority) {
        case .cancellation: stop(handle)
        case .move: move(token)
        case nil: break
        }
    }

    private func load(_ key: Graph.Key, _ token: WorkToken, for request: ImageRequest) {
        let ticket = FetchTicket()
        let priority = token.priority
        let work = Task(executorPreference: io) { [self] in
            do {
                let loaded = try await bytes.bytes(
                    for: request, ticket: ticket, priority: { token.priority }
                ) { progress in
                    for task in self.graph.withLock({ $0.waiters(forBytes: key, token: token) }) {
                        task.report(progress)
                    }
                }
                perform(graph.withLock { $0.bytesLoaded(loaded, key: key, token: token) })
            } catch {
                let failed = graph.withLock { $0.bytesFailed(key: key, token: token) }
                for task in failed.delivered { task.finish(.failure(ImageError(error, stage: .fetch, task.request))) }
                perform(failed)
            }
        }
        attach(.download(work, ticket), to: token, startedWith: priority)
    }

    private func decode(_ key: Graph.Key, _ token: WorkToken, _ loaded: LoadedBytes, for request: ImageRequest) {
        let queued = now()
        let priority = token.priority
        let job = cpu.submit(priority: priority) { [self] in
            guard !token.isCancelled else { return }
            var timings = loaded.timings
            let started = now()
            timings.queue = started - queued
            do {
                let (bitmap, info) = try pictures.picture(
                    from: loaded.bytes, target: request.target, limits: request.limits,
                    shouldContinue: { !token.isCancelled })
                timings.decode = now() - started
                let picture = CachedPicture(bitmap: bitmap, info: info, byteCount: loaded.bytes.count)
                succeed(picture, timings, key, token, loaded, request)
            } catch {
                if (error as? CodingError)?.isAboutTheBytes == true { bytes.drop(loaded, for: request) }
                let failed = graph.withLock { $0.pictureFinished(key: key, token: token) }
                for task in failed.delivered { task.finish(.failure(ImageError(error, stage: .decode, task.request))) }
                perform(failed)
            }
        }
        attach(.decode(job), to: token, startedWith: priority)
    }

    /// Keeps a picture in memory before its work leaves the graph, so that whoever comes in between finds one of the two.
    private func succeed(
        _ picture: CachedPicture, _ timings: StageTimings, _ key: Graph.Key, _ token: WorkToken, _ loaded: LoadedBytes,
        _ request: ImageRequest
    ) {
        if request.caching.memory.contains(.write) {
            memory?.insert(picture, forKey: request.keys.picture, cost: picture.bitmap.byteCost)
        }
        let finished = graph.withLock { $0.pictureFinished(key: key, token: token) }
        // Begun before anybody hears of the picture: whoever awaits it and then the writes, awaits this one too.
        let isKept = bytes.claims(loaded, for: request)
        if isKept { writes.begin() }
        for task in finished.delivered {
            var timings = timings
            timings.total = self.timings(of: task).total
            task.finish(.success(picture.response(tier: loaded.tier, timings: timings)))
        }
        perform(finished)
        guard isKept else { return }
        io.submit(priority: .low) { [self] in
            bytes.keep(loaded, for: request)
            writes.end()
            // Once in the life of a pipeline: what is too old, and what a process that was killed left behind.
            if !hasSwept.exchange(true, ordering: .relaxed) { io.submit(priority: .veryLow) { self.bytes.sweep() } }
        }
    }

    private func timings(of task: ImageTask) -> StageTimings {
        StageTimings(total: now() - task.startedAt)
    }
}

extension ImageRequest {
    fileprivate var byteKey: PipelineCore.Graph.Key {
        PipelineCore.Graph.Key(digest: keys.bytes, policy: caching.disk.rawValue)
    }

    /// Reading the memory cache has been done before work starts; only writing it is part of the work.
    fileprivate var pictureKey: PipelineCore.Graph.Key {
        PipelineCore.Graph.Key(
            digest: keys.picture,
            policy: caching.disk.rawValue | caching.memory.intersection(.write).rawValue << 2)
    }
}
