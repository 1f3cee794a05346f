import ImageFetching
import Synchronization

/// The root of every work: the original bytes, or the finished picture where it may be on disk.
extension PipelineCore {
    /// Begins on an I/O thread, where looking on the disk may block and starting a download costs the caller nothing.
    func load(_ start: Graph.Start) {
        let turn = start.token.nextTurn()
        let queued = now()
        let job = io.submit(priority: turn.priority) { [self] in read(start, queued: queued) }
        attach(.read(job), to: start.token, in: turn)
    }

    private func read(_ start: Graph.Start, queued: ContinuousClock.Instant) {
        guard !start.token.isCancelled else { return backlog.pass() }
        let request = start.maker.task.request
        guard bytes.mayBeStored(request) else {
            defer { backlog.pass() }
            do throws(FetchError) { ask(start, try bytes.question(request)) } catch {
                fail(start, error, stage: .fetch)
            }
            return
        }
        let turn = start.token.nextTurn()
        if let parked = backlog.enter(turn.priority, { [self] in load(start) }) {
            return attach(.parked(parked), to: start.token, in: turn)
        }
        defer { backlog.pass() }
        let started = now()
        guard start.key.digest == request.keys.bytes else { return findResult(start, queued: queued, started) }
        let result = Result { () throws(FetchError) in
            try bytes.lookUp(request, mayAskTiers: mayAskTiers(request))
        }
        if bytes.disk != nil { observe { searchEvent(.disk, start, result, wait: started - queued, started) } }
        follow(start, result)
    }

    /// Goes on with what came of a search.
    func follow(_ start: Graph.Start, _ result: Result<ByteStage.Answer, FetchError>) {
        switch result {
        case .success(.ready(let found)): loaded(start, found)
        case .success(.askTiers(let question)): askTiers(start, question)
        case .success(.ask(let question)): ask(start, question)
        case .failure(let error): fail(start, error, stage: .fetch)
        }
    }

    func searchEvent(
        _ stage: PipelineEvent.Stage, _ start: Graph.Start, _ result: Result<ByteStage.Answer, FetchError>,
        wait: Duration = .zero, _ started: ContinuousClock.Instant
    ) -> PipelineEvent {
        let found: LoadedBytes? = if case .success(.ready(let loaded)) = result { loaded } else { nil }
        let end = now()
        return PipelineEvent(
            stage, of: start.maker.task.request, priority: start.token.priority, wait: wait, run: end - started,
            end: end, tier: found?.description.tier, byteCount: found?.bytes.count, error: result.errorCode)
    }

    private func ask(_ start: Graph.Start, _ question: ByteStage.Question) {
        if let failure = remembered(start.maker.task.request) {
            return fail(start, failure.error, stage: failure.stage)
        }
        let ticket = FetchTicket()
        let turn = start.token.nextTurn()
        let work = Task(executorPreference: io) { [self] in
            defer { backlog.pass() }
            let request = start.maker.task.request
            let started = now()
            let result: Result<LoadedBytes, FetchError>
            let feed = previewFeed(start)
            do throws(FetchError) {
                result = .success(
                    try await bytes.ask(
                        question, for: request, ticket: ticket, priority: { start.token.priority },
                        onProgress: { self.report($0, start) },
                        onBody: onBody(feed, start)))
            } catch {
                result = .failure(error)
            }
            feed?.end()
            observe { fetchEvent(start, result, started) }
            switch result {
            case .success(let found):
                forgetFailure(of: request)
                loaded(start, found)
            case .failure(let error):
                if !start.token.isCancelled { note(error, of: request) }
                fail(start, error, stage: .fetch)
            }
        }
        attach(.download(work, ticket), to: start.token, in: turn)
    }

    private func report(_ progress: FetchProgress, _ start: Graph.Start) {
        for waiter in graph.withLock({ $0.waiters(of: start.key, token: start.token) }) { waiter.task.report(progress) }
    }

    private func fetchEvent(
        _ start: Graph.Start, _ result: Result<LoadedBytes, FetchError>, _ started: ContinuousClock.Instant
    ) -> PipelineEvent {
        let found = (try? result.get())?.description
        let wait = found?.trail.wait ?? .zero
        let end = now()
        var error = result.errorCode
        if let code = found?.trail.error?.code { error = ImageError.Code(rawValue: code.rawValue) }
        return PipelineEvent(
            .fetch, of: start.maker.task.request, priority: start.token.priority, wait: wait,
            run: end - started - wait, end: end, tier: found?.tier, byteCount: (try? result.get())?.bytes.count,
            hops: found?.trail.hops, attempts: found?.trail.attempts, error: error)
    }

    private func loaded(_ start: Graph.Start, _ loaded: LoadedBytes) {
        let finished = graph.withLock { $0.finished(start.key, token: start.token, with: .bytes(loaded)) }
        perform(finished)
        if loaded.description.mustRevalidate { revalidate(start.maker.task.request) }
        guard !finished.delivered.isEmpty else { return }
        // Somebody wants the bytes themselves. They are kept when they begin like a picture; where a picture is made of
        // them as well, that decides.
        let isPicture = finished.start == nil && pictures.isPicture(loaded.bytes)
        if isPicture { keep(loaded, for: start.maker.task.request) }
        for waiter in finished.delivered { waiter.task.deliver(.success(.bytes(loaded))) }
    }

    /// Asks the origin in the background whether what was just used is still right. Requests that do so at the same time
    /// share it.
    func revalidate(_ request: ImageRequest) {
        var request = request
        request.caching.rule = .revalidate
        request.caching.memory = .write
        request.priority = .low
        begin(ImageTask(request, self), path: { $0.picturePath })
    }

    /// Writes bytes that are news to the disk cache and to the tiers in the background, unless somebody does already.
    func keep(_ loaded: LoadedBytes, for request: ImageRequest) {
        guard bytes.claims(loaded, for: request) else { return }
        // Begun before anybody hears of the result: whoever awaits it and then the writes, awaits this one too.
        let ticket = writes.begin()
        let queued = now()
        io.submit(priority: .low) { [self] in
            if bytes.disk != nil {
                let started = now()
                bytes.keep(loaded, for: request)
                observe {
                    let end = now()
                    return PipelineEvent(
                        .store, of: request, wait: started - queued, run: end - started, end: end, tier: .disk,
                        byteCount: loaded.bytes.count)
                }
            }
            keepInTiers(loaded, for: request, ticket)
            // Once in the life of a pipeline: what is too old, and what a process that was killed left behind.
            if !hasSwept.exchange(true, ordering: .relaxed) { io.submit(priority: .veryLow) { self.bytes.sweep() } }
        }
    }
}

extension Result where Failure == FetchError {
    fileprivate var errorCode: ImageError.Code? {
        if case .failure(let error) = self { ImageError.Code(rawValue: error.code.rawValue) } else { nil }
    }
}
