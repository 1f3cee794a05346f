import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A fetch over all its attempts: when to try again, and from where.
struct Attempts {
    private let fetcher: Fetcher
    private let request: FetchRequest
    private let hooks: [FetchHooks]
    private let watch: BodyWatch
    private let policy: RetryPolicy
    private var count = 1
    private var point: ResumePoint?
    private var hasStored = false
    private var hasRepeated = false

    init(
        _ fetcher: Fetcher, _ request: FetchRequest, hooks: [FetchHooks], watch: BodyWatch
    ) {
        self.fetcher = fetcher
        self.request = request
        self.hooks = hooks
        self.watch = watch
        policy = request.retry ?? fetcher.configuration.retry
    }

    /// - Parameters:
    ///   - enter: waits for a slot.
    ///   - leave: gives it back, always and before the next attempt waits.
    mutating func run(
        enter: () async throws(FetchError) -> DownloadQueue, leave: (DownloadQueue) -> Void
    ) async throws(FetchError) -> FetchedResource {
        if isResumable, let partial = fetcher.partials?.partial(for: request) {
            hasStored = true
            point = ResumePoint(partial, minimum: 1)
        }
        while true {
            let arrival = fetcher.now()
            let queue = try await enter()
            let ended = await attempt(waited: fetcher.now() - arrival)
            leave(queue)
            switch ended {
            case .success(.whole(var resource)):
                if hasStored { fetcher.partials?.remove(for: request) }
                resource.attempts = count
                return resource
            case .success(.notResumed):
                point = nil
            case .success(.broken(let error, let point)):
                self.point = isResumable ? point : nil
                try await pause(after: error)
            case .failure(let error):
                try await pause(after: error)
            }
        }
    }

    /// A part of something cannot be told from a part of that part.
    private var isResumable: Bool {
        Fetcher.isHTTP(request.url) && request.headers["Range"] == nil && request.headers["If-Range"] == nil
    }

    private func attempt(waited: Duration) async -> Result<Load.Ended, FetchError> {
        let isHTTP = Fetcher.isHTTP(request.url)
        let load = Load(
            fetcher: fetcher, hooks: hooks, waited: waited, origin: isHTTP ? .network : .local, watch: watch)
        var sent = isHTTP ? fetcher.sent(request) : request
        if let point {
            // The version that has begun is wanted, not whether there is another one.
            for name in ["If-None-Match", "If-Modified-Since"] { sent.headers[name] = nil }
            for field in point.headers { sent.headers[field.name] = field.value }
        }
        do {
            return .success(try await load.run(sent, from: point))
        } catch {
            return .failure(FetchError(error))
        }
    }

    /// Returns when it is time for the next attempt.
    ///
    /// - Throws: the error, when there is to be none.
    private mutating func pause(after error: FetchError) async throws(FetchError) {
        // "Not modified" without having been asked is a server's slip: once more, at once (RFC 9110 §15.4.5).
        if error.code == .protocolError, error.statusCode == 304, !hasRepeated {
            hasRepeated = true
            return
        }
        // Boxed: an empty value has no address, and the thread sanitizer looks at the one it is given.
        var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
        guard error.code != .cancelled,
            let delay = policy.delay(afterAttempt: count, error: error, now: fetcher.wallClock(), using: &random)
        else { throw finished(error) }
        do {
            try await fetcher.sleep(delay)
        } catch {
            throw finished(.cancelled)
        }
        count += 1
    }

    /// The last error, after the beginning of the body was put away for a later fetch.
    private func finished(_ error: FetchError) -> FetchError {
        if let point, error.isRetryable || error.code == .cancelled {
            fetcher.partials?.keep(point.partial, for: request)
        }
        var error = error
        error.attempts = count
        return error
    }
}

extension Fetcher {
    /// - Throws: `originUnavailable` while the origin is left alone.
    func admit(_ url: URL) throws(FetchError) -> OriginCircuits<Origin>.Pass? {
        guard configuration.sparesFailingOrigins else { return nil }
        switch circuits.withLock({ $0.admit(Origin(url), now: now()) }) {
        case .go(let pass):
            return pass
        case .refused:
            throw FetchError(
                .originUnavailable,
                "\(url.redacted) was not asked: its server has failed several times in a row and is left alone for a while."
            )
        }
    }

    func ended(_ pass: OriginCircuits<Origin>.Pass?, _ result: Result<ResponseHead, any Error>) {
        guard let pass else { return }
        let outcome: OriginCircuits<Origin>.Outcome
        switch result {
        case .success(let head):
            let status = head.status ?? 0
            let retryAfter =
                ResponseRule.isRetryable(status)
                ? FetchError(.httpStatus, "", head: head).retryAfter(now: wallClock()) : nil
            outcome = .answered(status: status, retryAfter: retryAfter)
        case .failure(let error):
            outcome = FetchError(error).code == .cancelled ? .cancelled : .noAnswer
        }
        circuits.withLock { circuits in
            var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
            circuits.ended(pass, outcome, now: now(), using: &random)
        }
    }
}

extension ResponseHead {
    /// The head that the whole would have had, for the rest of it (206).
    func completed(total: Int?) -> ResponseHead {
        let range = headers["Content-Range"].flatMap { ContentRange($0) }
        return ResponseHead(
            status: 200, headers: headers.removing(["content-range", "content-length"]),
            expectedByteCount: total ?? range?.total, mediaType: nil, finalURL: finalURL, httpVersion: httpVersion)
    }
}
