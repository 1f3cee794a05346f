import ImageFetching
import Synchronization

/// Finished pictures that are kept on disk.
extension PipelineCore {
    /// Looks for the finished picture on an I/O thread. Without it, all who wait go on from the original bytes.
    func findResult(_ start: Graph.Start, queued: ContinuousClock.Instant, _ started: ContinuousClock.Instant) {
        let request = start.maker.task.request
        let found = results.find(request)
        let read = now()
        observe {
            PipelineEvent(
                .disk, of: request, priority: start.token.priority, wait: started - queued, run: read - started,
                end: read, tier: found == nil ? nil : .disk, byteCount: found?.payload.count)
        }
        guard let found else { return loadOriginal(start) }
        if found.mustRevalidate { revalidate(request) }
        compute(start) { [self] in
            let began = now()
            do {
                let picture = try results.picture(
                    of: found, for: request, shouldContinue: { !start.token.isCancelled })
                var timings = StageTimings()
                timings.disk = read - started
                timings.queue = began - read
                timings.decode = now() - began
                made(start, MadePicture(picture, from: found, timings: timings))
            } catch {
                guard !start.token.isCancelled else { return fail(start, error, stage: .decode) }
                results.drop(request)
                loadOriginal(start)
            }
        }
    }

    private func loadOriginal(_ start: Graph.Start) {
        let failed = graph.withLock { $0.failed(start.key, token: start.token) }
        perform(failed)
        for waiter in failed.delivered { begin(waiter.task, path: { $0.picturePath }) }
    }

    /// Encodes and writes a picture in the background, and ends the write.
    func keepResult(_ made: MadePicture, for request: ImageRequest, _ ticket: PendingWork.Ticket) {
        cpu.submit(priority: .low) { [self] in
            guard let encoded = try? results.encode(made) else { return writes.end(ticket) }
            let queued = now()
            io.submit(priority: .low) { [self] in
                defer { writes.end(ticket) }
                let started = now()
                // A failure is no failure of the load: the cache has warned once by itself.
                try? results.keep(encoded, made, for: request)
                observe {
                    let end = now()
                    return PipelineEvent(
                        .store, of: request, wait: started - queued, run: end - started, end: end, tier: .disk,
                        byteCount: encoded.count)
                }
            }
        }
    }
}
