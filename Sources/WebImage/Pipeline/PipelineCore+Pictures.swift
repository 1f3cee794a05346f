import ImageCoding
import Synchronization

/// What is made of the bytes: the decoded picture, and every step of processing.
extension PipelineCore {
    func decode(_ start: Graph.Start, _ loaded: LoadedBytes) {
        let queued = now()
        let request = start.maker.task.request
        compute(start) { [self] in
            var timings = loaded.timings
            let started = now()
            timings.queue = started - queued
            do {
                let (bitmap, info) = try pictures.picture(
                    from: loaded.bytes, target: request.target, limits: request.limits,
                    shouldContinue: { !start.token.isCancelled })
                timings.decode = now() - started
                let picture = CachedPicture(bitmap: bitmap, info: info, byteCount: loaded.bytes.count)
                keep(loaded, for: request)
                made(start, MadePicture(picture: picture, tier: loaded.tier, timings: timings))
            } catch {
                if (error as? CodingError)?.isAboutTheBytes == true { bytes.drop(loaded, for: request) }
                fail(start, error, stage: .decode)
            }
        }
    }

    func process(_ start: Graph.Start, _ input: MadePicture) {
        let step = start.maker.task.request.processing[start.depth - 2]
        compute(start) { [self] in
            let started = now()
            do {
                let bitmap = try step.apply(to: input.picture.bitmap)
                var timings = input.timings
                timings.process = (timings.process ?? .zero) + (now() - started)
                let picture = CachedPicture(
                    bitmap: bitmap, info: input.picture.info, byteCount: input.picture.byteCount)
                made(start, MadePicture(picture: picture, tier: input.tier, timings: timings))
            } catch {
                fail(start, error, stage: .process)
            }
        }
    }

    private func compute(_ start: Graph.Start, _ body: @escaping @Sendable () -> Void) {
        let priority = start.token.priority
        let job = cpu.submit(priority: priority) {
            if !start.token.isCancelled { body() }
        }
        attach(.compute(job), to: start.token, startedWith: priority)
    }

    /// Keeps a picture in memory before its work leaves the graph, so that whoever comes in between finds one of the two.
    private func made(_ start: Graph.Start, _ made: MadePicture) {
        let request = start.maker.task.request
        let isGoal =
            start.maker.task.goal == start.key
            || graph.withLock { $0.isAwaited(start.key, token: start.token) }
        if isGoal, !start.token.isCancelled, request.caching.memory.contains(.write) {
            memory?.insert(made.picture, forKey: start.key.digest, cost: made.picture.bitmap.byteCost)
        }
        let finished = graph.withLock { $0.finished(start.key, token: start.token, with: .picture(made)) }
        for waiter in finished.delivered { waiter.task.deliver(.success(.picture(made))) }
        perform(finished)
    }
}
