import ByteBuffers
import ImageFetching

extension ByteStage {
    /// Asks the origin.
    ///
    /// - Throws: `FetchError`, when nothing that is stored may stand in for the answer.
    func ask(
        _ question: Question, for request: ImageRequest, ticket: FetchTicket,
        priority: @escaping @Sendable () -> ImagePriority, onProgress: @escaping @Sendable (FetchProgress) -> Void,
        onBody: (@Sendable (BodyPart) -> Void)? = nil
    ) async throws(FetchError) -> LoadedBytes {
        let started = now()
        var question = question
        func fetch(_ validators: HTTPHeaders) async throws(FetchError) -> FetchedResource {
            var sent = FetchRequest(request)
            for field in validators where sent.headers[field.name] == nil { sent.headers[field.name] = field.value }
            question.trail.isConditional = sent.isConditional
            // While too many bytes wait to be decoded, those that have come keep their download slot.
            let room = FetchHooks(body: { [backlog] bytes, _ in
                await backlog.room(priority())
                return bytes
            })
            let hooks = [request.options.hooks?.hooks, room].compactMap(\.self)
            let resource = try await fetcher.fetch(
                sent, priority: priority().fetchPriority, ticket: ticket, hooks: hooks, onProgress: onProgress,
                onBody: onBody)
            question.trail.attempts += resource.attempts
            question.trail.hops = resource.hops.count
            question.trail.wait = resource.timings.waiting
            question.trail.status = resource.head.status
            return resource
        }
        do throws(FetchError) {
            var resource = try await fetch(question.validators)
            if resource.head.status == 304 {
                if let confirmed = confirm(question, resource, started) { return confirmed }
                // It speaks of something that is not stored here: ask for the whole, once.
                resource = try await fetch(HTTPHeaders())
                guard resource.head.status != 304 else {
                    throw FetchError(
                        .protocolError, "\(request.url.redacted) says \"not modified\" (304) of something unknown.",
                        head: resource.head)
                }
            }
            return take(resource, question, request, started)
        } catch {
            guard let entry = question.stored, request.caching.rule != .networkOnly,
                HTTPCaching.mayServeStale(
                    entry.response, for: sent(request), after: error, now: wallClock())
            else { throw error }
            question.timings.fetch = now() - started
            question.trail.error = error
            question.trail.attempts += error.attempts
            question.trail.status = error.statusCode
            return use(entry, question, freshness: .stale)
        }
    }

    /// The origin says that what is stored is still right.
    private func confirm(
        _ question: Question, _ resource: FetchedResource, _ started: ContinuousClock.Instant
    ) -> LoadedBytes? {
        guard let entry = question.stored,
            let refreshed = HTTPCaching.refreshed(
                entry.response, by: resource.head, for: resource.request, requestTime: resource.sentAt,
                responseTime: resource.receivedAt)
        else { return nil }
        var question = question
        question.timings.fetch = now() - started
        return use(entry, question, freshness: .revalidated) { description in
            description.stored = refreshed
            description.validity = Validity(refreshed, entity: entry.entity)
            description.isNews = true
            description.finds = []
        }
    }

    /// The origin has sent bytes.
    private func take(
        _ resource: FetchedResource, _ question: Question, _ request: ImageRequest, _ started: ContinuousClock.Instant
    ) -> LoadedBytes {
        var timings = question.timings
        timings.fetch = now() - started
        var description = LoadedBytes.Description(
            tier: resource.origin == .network ? .network : .local, trail: question.trail, timings: timings)
        if resource.origin == .network {
            // The same bytes again: nothing that was made of them has to be made anew.
            let isSame = question.stored?.payload == resource.bytes
            if isSame { description.freshness = .revalidated }
            description.stored = HTTPCaching.stored(
                resource.head, for: resource.request, requestTime: resource.sentAt, responseTime: resource.receivedAt,
                rule: request.caching.rule)
            description.isNews = true
            let name = (isSame ? question.stored?.entity : nil) ?? max(1, resource.bytes.checksum)
            description.validity =
                description.stored.map { Validity($0, entity: name) }
                ?? Validity(entity: name, receivedAt: resource.receivedAt, freshUntil: .min, usableUntil: .min)
        }
        return LoadedBytes(resource.bytes, description, claim: backlog.claim(resource.bytes.count))
    }
}
