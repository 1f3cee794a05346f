import ImageCoding
import Synchronization

/// What is made of the bytes: the decoded picture, and every step of processing.
extension PipelineCore {
    func decode(_ start: Graph.Start, _ loaded: LoadedBytes) {
        let queued = now()
        let request = start.maker.task.request
        compute(start) { [self] in
            var timings = loaded.description.timings
            let started = now()
            timings.queue = started - queued
            if let same = picture(of: loaded, in: start) {
                keep(loaded, for: request)
                return made(start, MadePicture(same, of: loaded, timings: timings))
            }
            do {
                let made = try pictures.movingPicture(
                    from: loaded.bytes, for: request, shouldContinue: { !start.token.isCancelled })
                timings.decode = now() - started
                let bitmap = made.bitmap
                observe(.decode, start, queued, started, tier: loaded.description.tier, byteCount: bitmap.byteCost)
                let picture = CachedPicture(
                    bitmap: bitmap, animation: made.animation, isStill: made.isStill, info: made.info,
                    byteCount: loaded.bytes.count, validity: loaded.description.validity,
                    address: request.addressDigest)
                keep(loaded, for: request)
                self.made(start, MadePicture(picture, of: loaded, timings: timings))
            } catch {
                observe(.decode, start, queued, started, tier: loaded.description.tier, error: error)
                guard let error = error as? CodingError, error.isAboutTheBytes else {
                    return fail(start, error, stage: .decode)
                }
                if drop(loaded, for: request), request.caching.rule != .cacheOnly { return restart(start, error) }
                if loaded.description.tier == .network { noteUndecodable(error, of: request) }
                fail(start, error, stage: .decode)
            }
        }
    }

    /// Bytes that were stored were no picture and are out of the way now: whoever waits starts over and gets them from the origin.
    private func restart(_ start: Graph.Start, _ error: any Error) {
        let failed = graph.withLock { $0.failed(start.key, token: start.token) }
        perform(failed)
        for waiter in failed.delivered {
            if waiter.task.mayRestart() {
                begin(waiter.task, path: { $0.picturePath })
            } else {
                waiter.task.deliver(.failure(ImageError(error, stage: .decode, waiter.task.request)))
            }
        }
    }

    func process(_ start: Graph.Start, _ input: MadePicture) {
        let step = start.maker.task.request.processing[start.depth - 2]
        let queued = now()
        compute(start) { [self] in
            let started = now()
            do {
                let bitmap = try step.apply(to: input.picture.bitmap)
                observe(.process, start, queued, started, tier: input.tier, byteCount: bitmap.byteCost)
                var timings = input.timings
                timings.process = (timings.process ?? .zero) + (now() - started)
                let picture = CachedPicture(
                    bitmap: bitmap, info: input.picture.info, byteCount: input.picture.byteCount,
                    validity: input.picture.validity, address: input.picture.address)
                made(start, MadePicture(picture, after: input, timings: timings))
            } catch {
                observe(.process, start, queued, started, tier: input.tier, error: error)
                fail(start, error, stage: .process)
            }
        }
    }

    /// The picture in memory, if it was made of the very same bytes: then there is nothing to decode, and only how long it
    /// may be used is new.
    private func picture(of loaded: LoadedBytes, in start: Graph.Start) -> CachedPicture? {
        let validity = loaded.description.validity
        // Who does not read memory gets what it has only when the origin was asked about just that.
        guard
            start.maker.task.request.caching.memory.contains(.read) || loaded.description.freshness == .revalidated
        else { return nil }
        guard validity.entity != 0, let old = memory?.value(forKey: start.key.digest),
            old.validity.entity == validity.entity
        else { return nil }
        return old.with(validity)
    }

    private func observe(
        _ stage: PipelineEvent.Stage, _ start: Graph.Start, _ queued: ContinuousClock.Instant,
        _ started: ContinuousClock.Instant, tier: SourceTier, byteCount: Int? = nil, error: (any Error)? = nil
    ) {
        observe {
            let request = start.maker.task.request
            let end = now()
            return PipelineEvent(
                stage, of: request, priority: start.token.priority, wait: started - queued, run: end - started,
                end: end,
                tier: tier, byteCount: byteCount,
                error: error.map { ImageError($0, stage: stage == .decode ? .decode : .process, request).code })
        }
    }

    func compute(_ start: Graph.Start, _ body: @escaping @Sendable () -> Void) {
        let turn = start.token.nextTurn()
        let job = cpu.submit(priority: turn.priority) {
            if !start.token.isCancelled { body() }
        }
        attach(.compute(job), to: start.token, in: turn)
    }

    /// Keeps a picture in memory before its work leaves the graph, so that whoever comes in between finds one of the two.
    func made(_ start: Graph.Start, _ made: MadePicture) {
        let request = start.maker.task.request
        let isGoal =
            start.maker.task.goal == start.key
            || graph.withLock { $0.isAwaited(start.key, token: start.token) }
        if isGoal, made.mayBeKept, !start.token.isCancelled, request.caching.memory.contains(.write) {
            // What does not move is the same picture for who wants animations and who does not.
            let key =
                start.key.digest == request.keys.moving && made.picture.animation == nil
                ? request.keys.still : start.key.digest
            memory?.insert(
                made.picture, forKey: key, cost: made.picture.cost, lifetime: request.caching.memoryLifetime)
            if key == request.keys.picture || key == request.keys.moving && request.processing.isEmpty {
                sizes.note(request, key, original: made.picture.info.size)
            }
        }
        let finished = graph.withLock { $0.finished(start.key, token: start.token, with: .picture(made)) }
        // All who wait for just this want it for the same request. The write begins before they hear of it, see `keep`.
        let keeper = finished.delivered.first?.task.request
        let ticket = keeper.flatMap { results.wants(made, for: $0) ? writes.begin() : nil }
        for waiter in finished.delivered { waiter.task.deliver(.success(.picture(made))) }
        perform(finished)
        if let keeper, let ticket { keepResult(made, for: keeper, ticket) }
    }
}
