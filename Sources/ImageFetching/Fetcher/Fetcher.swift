import ByteBuffers
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns addresses into bytes: waits for a slot, asks the transport of the scheme, follows redirects by
/// its own rules, refuses what is no resource, collects the body within its limits, and tries again where that makes sense.
public final class Fetcher: Sendable {
    public let configuration: Configuration

    let hooks: FetchHooks
    let cookies: CookieJar?
    let partials: (any PartialBodyStore)?
    let now: @Sendable () -> ContinuousClock.Instant
    let wallClock: @Sendable () -> Int64
    let sleep: @Sendable (Duration) async throws -> Void
    let redirects: RedirectPolicy
    let circuits = Mutex(OriginCircuits<Origin>())
    private let transports: [String: any Transport]
    private let downloads: DownloadQueue
    private let localReads: DownloadQueue

    /// - Parameters:
    ///   - transports: where two serve a scheme, the first does. Default: libcurl, files, and `data:` URLs.
    ///   - hooks: what is to be done for every fetch, before the fetch's own.
    ///   - cookies: takes cookies from responses and puts them into requests (RFC 6265). Default nil: there are none.
    ///   - partials: keeps the beginnings of bodies that broke off, so that a later fetch goes on from there. Default nil:
    ///     only the attempts of one fetch do.
    ///   - sleep: waits between attempts. Default: really.
    ///   - now: a clock that never goes back.
    ///   - wallClock: nanoseconds since 1970.
    public init(
        configuration: Configuration = Configuration(),
        transports: [any Transport] = [CurlTransport(), FileTransport(), DataURLTransport()],
        hooks: FetchHooks = FetchHooks(), cookies: CookieJar? = nil, partials: (any PartialBodyStore)? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        wallClock: @escaping @Sendable () -> Int64 = WallClock.system
    ) {
        self.configuration = configuration
        self.hooks = hooks
        self.cookies = cookies
        self.partials = partials
        self.sleep = sleep
        self.now = now
        self.wallClock = wallClock
        var table: [String: any Transport] = [:]
        for transport in transports {
            for scheme in transport.schemes where table[scheme] == nil { table[scheme] = transport }
        }
        self.transports = table
        downloads = DownloadQueue(
            slots: configuration.maxConcurrentDownloads, lowSlots: configuration.maxConcurrentLowPriorityDownloads,
            order: configuration.order)
        localReads = DownloadQueue(
            slots: configuration.maxConcurrentLocalReads, lowSlots: max(1, configuration.maxConcurrentLocalReads - 1),
            order: configuration.order)
        redirects = RedirectPolicy(maxRedirects: configuration.maxRedirects)
    }

    /// Fetches all bytes behind an address.
    ///
    /// What fails for now is tried again as ``Configuration/retry`` or the request says: the slot is given back while the
    /// fetch waits, and an attempt goes on where the one before broke off if the server can be sure that the rest belongs
    /// to the same version. Progress may begin anew with an attempt.
    ///
    /// - Parameters:
    ///   - request: what to fetch. With `If-None-Match` or `If-Modified-Since` the answer may be a 304 without bytes.
    ///   - priority: when it gets its turn among the downloads that wait. Asked at the moment in which the fetch joins
    ///     them, so a change is never lost: before that moment it is read here, after it ``setPriority(_:for:)`` applies.
    ///   - ticket: names this fetch for ``setPriority(_:for:)``; for one fetch at a time.
    ///   - hooks: what is to be done for this fetch alone, after the fetcher's own, in order.
    ///   - onProgress: called in order, first with nothing received once the head is there, last with everything, and
    ///     in between no more often than ``Configuration/progressInterval`` allows. Not called for refused responses.
    ///   - onBody: called with the bytes as they come, in order, before hooks see them. Not called for refused responses.
    /// - Throws: ``FetchError``, with `cancelled` when the task is cancelled.
    public func fetch(
        _ request: FetchRequest, priority: @autoclosure () -> FetchPriority = .normal,
        ticket: FetchTicket = FetchTicket(), hooks: [FetchHooks] = [],
        onProgress: (@Sendable (FetchProgress) -> Void)? = nil, onBody: (@Sendable (BodyPart) -> Void)? = nil
    ) async throws(FetchError) -> FetchedResource {
        var attempts = Attempts(
            self, request, hooks: [self.hooks] + hooks,
            watch: BodyWatch(onProgress: onProgress, onBody: onBody))
        return try await attempts.run { () throws(FetchError) in
            let queue = Self.isHTTP(request.url) ? downloads : localReads
            try await queue.acquire(ticket, priority: priority)
            return queue
        } leave: { queue in
            queue.release(ticket)
        }
    }

    /// Changes when a fetch that waits gets its turn. Does nothing for a fetch that is not known.
    public func setPriority(_ priority: FetchPriority, for ticket: FetchTicket) {
        downloads.setPriority(priority, for: ticket)
        localReads.setPriority(priority, for: ticket)
    }

    /// While it is `true` no download starts; those that run go on. Local reads are not held back. Default `false`.
    public func pauseDownloads(_ isPaused: Bool) {
        downloads.pause(isPaused)
    }

    /// How many downloads run and wait now. Local reads do not count.
    public var downloadCounts: (running: Int, waiting: Int) { downloads.counts }

    /// The request with the fields that every one has. Hooks may change it further.
    public func sent(_ request: FetchRequest) -> FetchRequest {
        var request = request
        if request.headers["Accept"] == nil { request.headers["Accept"] = configuration.accept }
        if request.headers["User-Agent"] == nil { request.headers["User-Agent"] = configuration.userAgent }
        request.headers["Accept-Encoding"] = "identity"
        return request
    }

    static func isHTTP(_ url: URL) -> Bool {
        let scheme = url.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    func transport(for url: URL) throws(FetchError) -> any Transport {
        guard let scheme = url.scheme?.lowercased() else {
            throw FetchError(.invalidURL, "\(url.redacted) has no scheme.")
        }
        guard let transport = transports[scheme] else {
            throw FetchError(.unsupportedScheme, "No transport serves the scheme \"\(scheme)\".")
        }
        return transport
    }
}
