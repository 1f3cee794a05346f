import ByteBuffers
import ImageCaching
import ImageFetching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The original bytes of a URL: from the disk cache or a tier behind it when HTTP's rules allow it, else from the origin.
struct ByteStage: Sendable {
    let disk: DiskCache?
    let tiers: CacheTiers
    let fetcher: Fetcher
    let backlog: Backlog
    let now: @Sendable () -> ContinuousClock.Instant
    let wallClock: @Sendable () -> Int64

    /// What is to be done after a look at the disk.
    enum Answer: Sendable {
        case ready(LoadedBytes)
        case askTiers(Question)
        case ask(Question)
    }

    /// What the origin is to be asked, and what stands in for its answer.
    struct Question: Sendable {
        var trail: LoadTrail
        var timings: StageTimings
        var validators = HTTPHeaders()
        var stored: StoredEntry?
    }

    /// Whether looking on the disk and in tiers makes sense: what is on this machine already is not copied to a cache.
    func mayBeStored(_ request: ImageRequest) -> Bool {
        guard disk != nil || !tiers.isEmpty, request.caching.disk.contains(.read),
            request.caching.rule != .networkOnly
        else { return false }
        return isRemote(request)
    }

    /// What is asked when neither is.
    func question(_ request: ImageRequest) throws(FetchError) -> Question {
        if request.caching.rule == .cacheOnly, isRemote(request) { throw .notCached(request, .nothingStored) }
        var trail = LoadTrail()
        if isRemote(request) { trail.reason = .cacheNotWanted }
        return Question(trail: trail, timings: StageTimings())
    }

    /// Looks in the disk cache and decides. Blocks; for the I/O threads. A cache that fails is passed over; it reports by
    /// itself.
    ///
    /// - Parameter mayAskTiers: whether tiers may be asked for what the disk cannot give.
    /// - Throws: `FetchError` when nobody else is to be asked and there is nothing to use.
    func lookUp(_ request: ImageRequest, mayAskTiers: Bool = false) throws(FetchError) -> Answer {
        var question = Question(trail: LoadTrail(), timings: StageTimings())
        if disk != nil {
            let started = now()
            question.stored = find(request)
            question.timings.disk = now() - started
            question.trail.disk = question.stored == nil ? .missing : .found
        }
        return try answer(question, request, mayAskTiers: mayAskTiers && asksTiers(question, request))
    }

    /// What comes of what is stored.
    ///
    /// - Throws: `FetchError` when nobody else is to be asked and there is nothing to use.
    func answer(
        _ question: Question, _ request: ImageRequest, mayAskTiers: Bool
    ) throws(FetchError) -> Answer {
        var question = question
        let decision = HTTPCaching.decide(
            question.stored?.response, for: sent(request), rule: request.caching.rule, now: wallClock())
        question.trail.reason = decision.reason
        switch (decision.action, question.stored) {
        case (.serve, let entry?), (.serveAndRevalidate, let entry?):
            let mustRevalidate = decision.action == .serveAndRevalidate
            return .ready(
                use(entry, question, freshness: decision.freshness) { $0.mustRevalidate = mustRevalidate })
        case _ where mayAskTiers:
            return .askTiers(question)
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
            tier: entry.finds.isEmpty ? .disk : .shared, freshness: freshness,
            validity: Validity(entry.response, entity: entry.entity), trail: question.trail,
            timings: question.timings, stored: entry.response, isNews: !entry.finds.isEmpty, finds: entry.finds)
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
