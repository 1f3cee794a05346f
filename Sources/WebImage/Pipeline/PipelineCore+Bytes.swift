import ImageFetching
import Synchronization

/// The root of every work: the original bytes.
extension PipelineCore {
    /// Looks on the disk first, on an I/O thread.
    func load(_ start: Graph.Start) {
        let request = start.maker.task.request
        guard bytes.mayBeOnDisk(request) else {
            do throws(FetchError) { ask(start, try bytes.question(request)) } catch {
                fail(start, error, stage: .fetch)
            }
            return
        }
        let priority = start.token.priority
        let job = io.submit(priority: priority) { [self] in read(start) }
        attach(.read(job), to: start.token, startedWith: priority)
    }

    private func read(_ start: Graph.Start) {
        guard !start.token.isCancelled else { return backlog.pass() }
        let priority = start.token.priority
        if let parked = backlog.enter(priority, { [self] in load(start) }) {
            return attach(.parked(parked), to: start.token, startedWith: priority)
        }
        defer { backlog.pass() }
        do throws(FetchError) {
            switch try bytes.lookUp(start.maker.task.request) {
            case .ready(let found): loaded(start, found)
            case .ask(let question): ask(start, question)
            }
        } catch {
            fail(start, error, stage: .fetch)
        }
    }

    private func ask(_ start: Graph.Start, _ question: ByteStage.Question) {
        if let failure = remembered(start.maker.task.request) {
            return fail(start, failure.error, stage: failure.stage)
        }
        let ticket = FetchTicket()
        let priority = start.token.priority
        let work = Task(executorPreference: io) { [self] in
            defer { backlog.pass() }
            do throws(FetchError) {
                let found = try await bytes.ask(
                    question, for: start.maker.task.request, ticket: ticket, priority: { start.token.priority }
                ) { progress in
                    let waiters = self.graph.withLock { $0.waiters(of: start.key, token: start.token) }
                    for waiter in waiters { waiter.task.report(progress) }
                }
                forgetFailure(of: start.maker.task.request)
                loaded(start, found)
            } catch {
                if !start.token.isCancelled { note(error, of: start.maker.task.request) }
                fail(start, error, stage: .fetch)
            }
        }
        attach(.download(work, ticket), to: start.token, startedWith: priority)
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

    /// Writes downloaded bytes to the disk cache in the background, unless somebody does already.
    func keep(_ loaded: LoadedBytes, for request: ImageRequest) {
        guard bytes.claims(loaded, for: request) else { return }
        // Begun before anybody hears of the result: whoever awaits it and then the writes, awaits this one too.
        writes.begin()
        io.submit(priority: .low) { [self] in
            bytes.keep(loaded, for: request)
            writes.end()
            // Once in the life of a pipeline: what is too old, and what a process that was killed left behind.
            if !hasSwept.exchange(true, ordering: .relaxed) { io.submit(priority: .veryLow) { self.bytes.sweep() } }
        }
    }
}
