import ByteBuffers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One way through: from a request over its redirects to a response, and the response's body.
struct Load: Sendable {
    /// The start of a refused body that an error keeps.
    static let keptErrorBytes = 64 << 10

    let fetcher: Fetcher
    let hooks: [FetchHooks]
    let waited: Duration
    let origin: ResourceOrigin
    let onProgress: (@Sendable (FetchProgress) -> Void)?

    private var limits: FetchLimits { fetcher.configuration.limits }

    func run(_ request: FetchRequest) async throws -> FetchedResource {
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
            let head = try await inspect(response)
            if let refusal = fetcher.configuration.responses.refusal(of: head, to: sent) {
                throw await completed(refusal, with: response.body)
            }
            let headTime = fetcher.now()
            let bytes = head.status == 304 ? Bytes() : try await collect(response)
            if head.status == 304 { await discard(response) }
            return FetchedResource(
                bytes: try await hooks.transform(bytes, head), head: head, request: sent, hops: hops, origin: origin,
                sentAt: sentAt, receivedAt: receivedAt,
                timings: FetchTimings(waiting: waited, head: headTime - start, body: fetcher.now() - headTime))
        }
    }

    /// Sends the request of one hop.
    private func open(_ request: FetchRequest) async throws -> (FetchRequest, TransportResponse) {
        var request = try await hooks.prepare(request)
        if Fetcher.isHTTP(request.url) { addSecrets(to: &request) }
        if let field = request.headers.firstInvalid {
            throw FetchError(.invalidHeader, "The header field \"\(field.name)\" has characters that may not be sent.")
        }
        try Task.checkCancellation()
        return (request, try await fetcher.transport(for: request.url).open(request, limits: limits))
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

    private func inspect(_ response: TransportResponse) async throws -> ResponseHead {
        do throws(FetchError) {
            return try await hooks.inspect(response.head)
        } catch {
            response.body.cancel()
            throw error
        }
    }

    private func collect(_ response: TransportResponse) async throws -> Bytes {
        let expected = response.head.expectedByteCount
        var throttle = ProgressThrottle(interval: fetcher.configuration.progressInterval)
        func progress(_ received: Int) -> FetchProgress { FetchProgress(received: received, expected: expected) }
        if let onProgress, let report = throttle.report(progress(0), at: fetcher.now()) { onProgress(report) }

        // A body that comes in one piece is not copied again.
        let first = try await response.body.next() ?? Bytes()
        var whole = first
        if !first.isEmpty, let second = try await response.body.next() {
            var gathered = ByteAccumulator(limit: limits.maxBodyBytes, expected: expected ?? 0)
            try first.withUnsafeBytes { try gathered.append($0) }
            var piece: Bytes? = second
            while let current = piece {
                if let onProgress, let report = throttle.report(progress(gathered.count), at: fetcher.now()) {
                    onProgress(report)
                }
                try current.withUnsafeBytes { try gathered.append($0) }
                piece = try await response.body.next()
            }
            whole = gathered.finish()
        }
        if let onProgress, let report = throttle.finish(progress(whole.count)) { onProgress(report) }
        return whole
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
