import ImageFetching
import Synchronization

/// The root of every work: the original bytes.
extension PipelineCore {
    /// Looks on the disk first, on an I/O thread.
    func load(_ start: Graph.Start) {
        guard bytes.mayBeOnDisk(start.maker.task.request) else { return fetch(start, StageTimings()) }
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
        var timings = StageTimings()
        let found = bytes.onDisk(start.maker.task.request, &timings)
        if let found { loaded(start, found) }
        backlog.pass()
        if found == nil { fetch(start, timings) }
    }

    private func fetch(_ start: Graph.Start, _ timings: StageTimings) {
        let ticket = FetchTicket()
        let priority = start.token.priority
        let work = Task(executorPreference: io) { [self] in
            do {
                let found = try await bytes.fetch(
                    start.maker.task.request, ticket: ticket, timings: timings, priority: { start.token.priority }
                ) { progress in
                    let waiters = self.graph.withLock { $0.waiters(of: start.key, token: start.token) }
                    for waiter in waiters { waiter.task.report(progress) }
                }
                loaded(start, found)
                backlog.pass()
            } catch {
                backlog.pass()
                fail(start, error, stage: .fetch)
            }
        }
        attach(.download(work, ticket), to: start.token, startedWith: priority)
    }

    private func loaded(_ start: Graph.Start, _ loaded: LoadedBytes) {
        let finished = graph.withLock { $0.finished(start.key, token: start.token, with: .bytes(loaded)) }
        perform(finished)
        guard !finished.delivered.isEmpty else { return }
        // Somebody wants the bytes themselves. They are kept when they begin like a picture; where a picture is made of
        // them as well, that decides.
        let isPicture = finished.start == nil && pictures.isPicture(loaded.bytes)
        if isPicture { keep(loaded, for: start.maker.task.request) }
        for waiter in finished.delivered { waiter.task.deliver(.success(.bytes(loaded))) }
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
