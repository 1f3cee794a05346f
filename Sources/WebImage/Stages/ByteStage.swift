import ByteBuffers
import ImageCaching
import ImageFetching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The original bytes of a URL: from the disk cache when HTTP's rules allow it, else from the origin.
struct ByteStage: Sendable {
    let disk: DiskCache?
    let fetcher: Fetcher
    let backlog: Backlog
    let now: @Sendable () -> ContinuousClock.Instant
    let wallClock: @Sendable () -> Int64

    /// What is to be done after a look at the disk.
    enum Answer: Sendable {
        case ready(LoadedBytes)
        case ask(Question)
    }

    /// What the origin is to be asked, and what stands in for its answer.
    struct Question: Sendable {
        var trail: LoadTrail
        var timings: StageTimings
        var validators = HTTPHeaders()
        var stored: StoredEntry?
    }

    /// Whether looking on the disk makes sense: what is on this machine already is not copied to the cache.
    func mayBeOnDisk(_ request: ImageRequest) -> Bool {
        guard disk != nil, request.caching.disk.contains(.read), request.caching.rule != .networkOnly else {
            return false
        }
        return isRemote(request)
    }

    /// What is asked when the disk is not.
    func question(_ request: ImageRequest) throws(FetchError) -> Question {
        if request.caching.rule == .cacheOnly, isRemote(request) { throw .notCached(request, .nothingStored) }
        var trail = LoadTrail()
        if isRemote(request) { trail.reason = .cacheNotWanted }
        return Question(trail: trail, timings: StageTimings())
    }

    /// Looks in the disk cache and decides. Blocks; for the I/O threads. A cache that fails is passed over; it reports by
    /// itself.
    ///
    /// - Throws: `FetchError` when the origin is not to be asked and there is nothing to use.
    func lookUp(_ request: ImageRequest) throws(FetchError) -> Answer {
        let started = now()
        let entry = find(request)
        var question = Question(trail: LoadTrail(), timings: StageTimings(disk: now() - started), stored: entry)
        question.trail.disk = entry == nil ? .missing : .found
        let decision = HTTPCaching.decide(
            entry?.response, for: sent(request), rule: request.caching.rule, now: wallClock())
        question.trail.reason = decision.reason
        switch (decision.action, entry) {
        case (.serve, let entry?), (.serveAndRevalidate, let entry?):
            let mustRevalidate = decision.action == .serveAndRevalidate
            return .ready(
                use(entry, question, freshness: decision.freshness) { $0.mustRevalidate = mustRevalidate })
        case (.refuse, _):
            throw .notCached(request, decision.reason)
        default:
            question.validators = decision.validators
            return .ask(question)
        }
    }

    /// What the origin is sent for a request, before hooks.
    func sent(_ request: ImageRequest) -> FetchRequest {
        fetcher.sent(FetchRequest(request))
    }

    /// Bytes that were stored, as they are.
    func use(
        _ entry: StoredEntry, _ question: Question, freshness: ResponseFreshness,
        _ change: (inout LoadedBytes.Description) -> Void = { _ in }
    ) -> LoadedBytes {
        var description = LoadedBytes.Description(
            tier: .disk, freshness: freshness, validity: Validity(entry.response, entity: entry.entity),
            trail: question.trail, timings: question.timings, stored: entry.response)
        change(&description)
        return LoadedBytes(entry.payload, description, claim: backlog.claim(entry.payload.count))
    }

    func isRemote(_ request: ImageRequest) -> Bool {
        ["http", "https"].contains(request.url.scheme?.lowercased())
    }
}

extension FetchRequest {
    init(_ request: ImageRequest) {
        self.init(
            url: request.url, headers: request.headers, sensitiveHeaders: request.options.sensitiveHeaders,
            retry: request.options.retry)
    }
}

extension FetchError {
    fileprivate static func notCached(_ request: ImageRequest, _ reason: CachingReason) -> FetchError {
        FetchError(
            .notCached, "\(request.url.redacted) may only come from the cache, which cannot give it: \(reason).")
    }
}
