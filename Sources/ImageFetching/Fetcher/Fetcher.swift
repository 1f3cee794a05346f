import ByteBuffers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns addresses into bytes: waits for a slot, asks the transport of the scheme, follows redirects by
/// its own rules, refuses what is no resource, and collects the body within its limits.
///
/// It keeps no cookies, no credentials and no cache, and never tries again by itself.
public final class Fetcher: Sendable {
    public let configuration: Configuration

    private let transports: [String: any Transport]
    private let queue: DownloadQueue
    private let redirects: RedirectPolicy
    private let now: @Sendable () -> ContinuousClock.Instant

    /// The start of a refused body that an error keeps.
    static let keptErrorBytes = 64 << 10

    /// - Parameters:
    ///   - transports: where two serve a scheme, the first does. Default: libcurl, files, and `data:` URLs.
    ///   - now: a clock that never goes back.
    public init(
        configuration: Configuration = Configuration(),
        transports: [any Transport] = [CurlTransport(), FileTransport(), DataURLTransport()],
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.configuration = configuration
        self.now = now
        var table: [String: any Transport] = [:]
        for transport in transports {
            for scheme in transport.schemes where table[scheme] == nil { table[scheme] = transport }
        }
        self.transports = table
        queue = DownloadQueue(
            slots: configuration.maxConcurrentDownloads, lowSlots: configuration.maxConcurrentLowPriorityDownloads,
            order: configuration.order)
        redirects = RedirectPolicy(maxRedirects: configuration.maxRedirects)
    }

    /// Fetches all bytes behind an address.
    ///
    /// - Parameters:
    ///   - request: what to fetch.
    ///   - priority: when it gets its turn among the downloads that wait. Asked at the moment in which the fetch joins
    ///     them, so a change is never lost: before that moment it is read here, after it ``setPriority(_:for:)`` applies.
    ///   - ticket: names this fetch for ``setPriority(_:for:)``; for one fetch at a time.
    ///   - onProgress: called in order, first with nothing received once the head is there, last with everything, and
    ///     in between no more often than ``Configuration/progressInterval`` allows. Not called for refused responses.
    /// - Throws: ``FetchError``, with `cancelled` when the task is cancelled.
    public func fetch(
        _ request: FetchRequest, priority: @autoclosure () -> FetchPriority = .normal,
        ticket: FetchTicket = FetchTicket(), onProgress: (@Sendable (FetchProgress) -> Void)? = nil
    ) async throws(FetchError) -> FetchedResource {
        do {
            let arrival = now()
            guard Self.isHTTP(request.url) else {
                return try await load(request, waited: .zero, origin: .local, onProgress: onProgress)
            }
            try await queue.acquire(ticket, priority: priority)
            defer { queue.release(ticket) }
            let waited = now() - arrival
            return try await load(
                withStandardHeaders(request), waited: waited, origin: .network, onProgress: onProgress)
        } catch {
            throw FetchError(error)
        }
    }

    /// Changes when a fetch that waits gets its turn. Does nothing for a fetch that is not known.
    public func setPriority(_ priority: FetchPriority, for ticket: FetchTicket) {
        queue.setPriority(priority, for: ticket)
    }

    /// How many downloads run and wait now.
    public var downloadCounts: (running: Int, waiting: Int) { queue.counts }

    private static func isHTTP(_ url: URL) -> Bool {
        let scheme = url.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    private func withStandardHeaders(_ request: FetchRequest) -> FetchRequest {
        var request = request
        if request.headers["Accept"] == nil { request.headers["Accept"] = configuration.accept }
        if request.headers["User-Agent"] == nil { request.headers["User-Agent"] = configuration.userAgent }
        request.headers["Accept-Encoding"] = "identity"
        return request
    }

    private func load(
        _ request: FetchRequest, waited: Duration, origin: ResourceOrigin,
        onProgress: (@Sendable (FetchProgress) -> Void)?
    ) async throws -> FetchedResource {
        if let field = request.headers.firstInvalid {
            throw FetchError(.invalidHeader, "The header field \"\(field.name)\" has characters that may not be sent.")
        }
        let start = now()
        var request = request
        var hops = [request.url]
        while true {
            try Task.checkCancellation()
            let response = try await transport(for: request.url).open(request, limits: configuration.limits)
            if RedirectPolicy.isRedirect(response.head.status) {
                let next = try redirects.follow(response.head, from: request, visited: hops)
                await discard(response)
                request = next
                hops.append(next.url)
                continue
            }
            if let refusal = ResponseRule.refusal(of: response.head, from: request.url.redacted) {
                throw await completed(refusal, with: response.body)
            }
            let headTime = now()
            let bytes = try await collect(response, onProgress: onProgress)
            return FetchedResource(
                bytes: bytes, head: response.head, hops: hops, origin: origin,
                timings: FetchTimings(waiting: waited, head: headTime - start, body: now() - headTime))
        }
    }

    private func transport(for url: URL) throws(FetchError) -> any Transport {
        guard let scheme = url.scheme?.lowercased() else {
            throw FetchError(.invalidURL, "\(url.redacted) has no scheme.")
        }
        guard let transport = transports[scheme] else {
            throw FetchError(.unsupportedScheme, "No transport serves the scheme \"\(scheme)\".")
        }
        return transport
    }

    private func collect(
        _ response: TransportResponse, onProgress: (@Sendable (FetchProgress) -> Void)?
    ) async throws -> Bytes {
        let expected = response.head.expectedByteCount
        let limit = configuration.limits.maxBodyBytes
        var throttle = ProgressThrottle(interval: configuration.progressInterval)
        func progress(_ received: Int) -> FetchProgress { FetchProgress(received: received, expected: expected) }
        if let onProgress, let report = throttle.report(progress(0), at: now()) { onProgress(report) }

        // A body that comes in one piece is not copied again.
        let first = try await response.body.next() ?? Bytes()
        var whole = first
        if !first.isEmpty, let second = try await response.body.next() {
            var gathered = ByteAccumulator(limit: limit, expected: expected ?? 0)
            try first.withUnsafeBytes { try gathered.append($0) }
            var piece: Bytes? = second
            while let current = piece {
                if let onProgress, let report = throttle.report(progress(gathered.count), at: now()) {
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
        if response.head.expectedByteCount.map({ $0 <= Self.keptErrorBytes }) ?? false {
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
