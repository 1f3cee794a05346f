import ByteBuffers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One attempt: from a request over its redirects to a response, and the response's body.
struct Load: Sendable {
    /// How an attempt ended that was not refused.
    enum Ended {
        case whole(FetchedResource)
        /// The body broke off; the next attempt may go on from the point.
        case broken(FetchError, ResumePoint?)
        /// The server would not go on from the point: the whole has to be fetched.
        case notResumed
    }

    /// The start of a refused body that an error keeps.
    static let keptErrorBytes = 64 << 10

    let fetcher: Fetcher
    let hooks: [FetchHooks]
    let waited: Duration
    let origin: ResourceOrigin
    let watch: BodyWatch

    private var limits: FetchLimits { fetcher.configuration.limits }

    /// - Parameter point: where the attempt before broke off; its fields are in the request.
    func run(_ request: FetchRequest, from point: ResumePoint?) async throws -> Ended {
        let start = fetcher.now()
        var request = request
        var sentAt: Int64 = 0
        var hops: [URL] = []
        while true {
            sentAt = fetcher.wallClock()
            let (sent, response) = try await open(request)
            let receivedAt = fetcher.wallClock()
            fetcher.cookies?.store(response.head, from: sent.url, now: receivedAt)
            hops.append(sent.url)
            if origin == .network, RedirectPolicy.isRedirect(response.head.status) {
                // What hooks have added is not carried on: they are asked again, and know where it goes.
                request.url = sent.url
                request = try fetcher.redirects.follow(response.head, from: request, visited: hops)
                await discard(response)
                continue
            }
            var received = response.head
            var prefix: ResumePoint?
            switch point?.judge(received) {
            case .refetch:
                await discard(response)
                return .notResumed
            case .continues:
                prefix = point
                received = received.completed(total: point?.partial.total)
            case .startsAnew, .error, nil:
                break
            }
            let head = try await inspect(received, response)
            if let refusal = fetcher.configuration.responses.refusal(of: head, to: sent) {
                throw await completed(refusal, with: response.body)
            }
            let headTime = fetcher.now()
            var bytes = Bytes()
            if head.status == 304 {
                await discard(response)
            } else {
                switch await collect(response, expected: head.expectedByteCount, after: prefix?.partial.bytes) {
                case .success(let whole): bytes = whole
                case .failure(let broken): return .broken(broken.error, resumePoint(of: broken, prefix, response.head))
                }
            }
            return .whole(
                FetchedResource(
                    bytes: try await hooks.transform(bytes, head), head: head, request: sent, hops: hops,
                    origin: origin,
                    sentAt: sentAt, receivedAt: receivedAt,
                    timings: FetchTimings(waiting: waited, head: headTime - start, body: fetcher.now() - headTime)))
        }
    }

    private func resumePoint(of broken: BrokenBody, _ prefix: ResumePoint?, _ head: ResponseHead) -> ResumePoint? {
        if let prefix { return prefix.moved(to: broken.received) ?? prefix }
        return ResumePoint(head: head, received: broken.received, minimum: fetcher.configuration.minimumPartialBytes)
    }

    /// Sends the request of one hop.
    private func open(_ request: FetchRequest) async throws -> (FetchRequest, TransportResponse) {
        var request = try await hooks.prepare(request)
        if Fetcher.isHTTP(request.url) { addSecrets(to: &request) }
        if let field = request.headers.firstInvalid {
            throw FetchError(.invalidHeader, "The header field \"\(field.name)\" has characters that may not be sent.")
        }
        try Task.checkCancellation()
        let transport = try fetcher.transport(for: request.url)
        guard Fetcher.isHTTP(request.url) else { return (request, try await transport.open(request, limits: limits)) }
        let pass = try fetcher.admit(request.url)
        do {
            let response = try await transport.open(request, limits: limits)
            fetcher.ended(pass, .success(response.head))
            return (request, response)
        } catch {
            fetcher.ended(pass, .failure(error))
            throw error
        }
    }

    /// What belongs to the origin of this hop: it is never carried to the next.
    private func addSecrets(to request: inout FetchRequest) {
        if request.headers["Authorization"] == nil {
            request.headers["Authorization"] = fetcher.configuration.credentials.authorization(for: request.url)
        }
        if request.headers["Cookie"] == nil {
            request.headers["Cookie"] = fetcher.cookies?.header(for: request.url, now: fetcher.wallClock())
        }
    }

    private func inspect(_ head: ResponseHead, _ response: TransportResponse) async throws -> ResponseHead {
        do throws(FetchError) {
            return try await hooks.inspect(head)
        } catch {
            response.body.cancel()
            throw error
        }
    }

    /// Why a body did not come whole, and what came of it.
    private struct BrokenBody: Error {
        let error: FetchError
        let received: Bytes
    }

    /// - Parameter prefix: what an earlier attempt has received.
    private func collect(
        _ response: TransportResponse, expected: Int?, after prefix: Bytes?
    ) async -> Result<Bytes, BrokenBody> {
        var throttle = ProgressThrottle(interval: fetcher.configuration.progressInterval)
        func progress(_ received: Int) -> FetchProgress { FetchProgress(received: received, expected: expected) }
        if let onProgress = watch.onProgress,
            let report = throttle.report(progress(prefix?.count ?? 0), at: fetcher.now())
        {
            onProgress(report)
        }
        if let prefix { watch.onBody?(.start(prefix)) }
        var whole = prefix ?? Bytes()
        var gathered = ByteAccumulator(limit: limits.maxBodyBytes, expected: expected ?? 0)
        do {
            // A body that comes in one piece is not copied again.
            if prefix == nil {
                whole = try await response.body.next() ?? Bytes()
                watch.onBody?(.start(whole))
            }
            if prefix != nil || !whole.isEmpty {
                while let piece = try await response.body.next() {
                    if gathered.count == 0 { try whole.withUnsafeBytes { try gathered.append($0) } }
                    if let onProgress = watch.onProgress,
                        let report = throttle.report(progress(gathered.count), at: fetcher.now())
                    {
                        onProgress(report)
                    }
                    try piece.withUnsafeBytes { try gathered.append($0) }
                    watch.onBody?(.more(piece))
                }
            }
        } catch {
            if gathered.count > 0 { whole = gathered.finish() }
            return .failure(BrokenBody(error: FetchError(error), received: whole))
        }
        if gathered.count > 0 { whole = gathered.finish() }
        if let onProgress = watch.onProgress, let report = throttle.finish(progress(whole.count)) { onProgress(report) }
        return .success(whole)
    }

    /// Reads a small body to its end, so that the connection can be used for the next hop.
    private func discard(_ response: TransportResponse) async {
        if response.head.expectedByteCount.map({ $0 <= Self.keptErrorBytes }) ?? (response.head.status == 304) {
            while (try? await response.body.next()) != nil {}
        }
        response.body.cancel()
    }

    /// An error with the start of the body it is about.
    private func completed(_ error: FetchError, with body: any BodyStream) async -> FetchError {
        var start = ByteAccumulator(limit: Self.keptErrorBytes)
        while start.count < Self.keptErrorBytes, let piece = try? await body.next() {
            let part = piece[0..<(Self.keptErrorBytes - start.count)]
            guard (try? part.withUnsafeBytes({ try start.append($0) })) != nil else { break }
        }
        body.cancel()
        if Task.isCancelled { return .cancelled }
        return FetchError(
            error.code, error.message, isRetryable: error.isRetryable, head: error.head, bodyStart: start.finish())
    }
}
