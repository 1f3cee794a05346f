import ByteBuffers
import ImageCaching
import ImageFetching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The original bytes of a URL: from the disk cache, else from the origin.
struct ByteStage: Sendable {
    let disk: DiskCache?
    let fetcher: Fetcher
    let backlog: Backlog
    let now: @Sendable () -> ContinuousClock.Instant

    /// Whether looking on the disk makes sense: what is on this machine already is not copied to the cache.
    func mayBeOnDisk(_ request: ImageRequest) -> Bool {
        guard disk != nil, request.caching.disk.contains(.read) else { return false }
        return ["http", "https"].contains(request.url.scheme?.lowercased())
    }

    /// Looks in the disk cache. Blocks; for the I/O threads. A cache that fails is passed over; it reports by itself.
    func onDisk(_ request: ImageRequest, _ timings: inout StageTimings) -> LoadedBytes? {
        let started = now()
        let entry = try? disk?.entry(for: request.diskKey)
        timings.disk = now() - started
        return entry.map { entry in
            LoadedBytes(
                bytes: entry.payload, tier: .disk, timings: timings, head: nil,
                claim: backlog.claim(entry.payload.count))
        }
    }

    /// Asks the origin.
    ///
    /// - Throws: `FetchError`.
    func fetch(
        _ request: ImageRequest, ticket: FetchTicket, timings: StageTimings, priority: () -> ImagePriority,
        onProgress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws(FetchError) -> LoadedBytes {
        var timings = timings
        let started = now()
        let resource = try await fetcher.fetch(
            FetchRequest(url: request.url, headers: request.headers), priority: priority().fetchPriority,
            ticket: ticket, onProgress: onProgress)
        timings.fetch = now() - started
        return LoadedBytes(
            bytes: resource.bytes, tier: resource.origin == .network ? .network : .local, timings: timings,
            head: resource.head, claim: backlog.claim(resource.bytes.count))
    }

    /// Whether downloaded bytes are to be written by whoever asks; `true` once for each download.
    ///
    /// A response that forbids it is not stored (RFC 9111 §5.2.2.5); the other rules of freshness are not applied here.
    func claims(_ loaded: LoadedBytes, for request: ImageRequest) -> Bool {
        guard disk != nil, loaded.tier == .network, request.caching.disk.contains(.write) else { return false }
        return loaded.head?.forbidsStoring != true && loaded.claimStore()
    }

    /// Keeps downloaded bytes. Called once a picture was made of them, so nothing broken is ever kept.
    func keep(_ loaded: LoadedBytes, for request: ImageRequest) {
        // A failure is no failure of the load: the cache has warned once by itself, and the picture is there.
        try? disk?.store(
            loaded.bytes, metadata: EntryMetadata(request: request, head: loaded.head),
            for: request.diskKey)
    }

    /// Drops bytes of which no picture could be made.
    func drop(_ loaded: LoadedBytes, for request: ImageRequest) {
        guard let disk, loaded.tier == .disk else { return }
        try? disk.remove(request.diskKey)
    }

    /// Removes what is too old from the disk cache, and what processes that were killed left there.
    func sweep() {
        _ = try? disk?.sweep()
    }
}

extension ResponseHead {
    fileprivate var forbidsStoring: Bool {
        headers.values(for: "Cache-Control").contains { field in
            field.split(separator: ",").contains { $0.lowercased().filter { $0 != " " && $0 != "\t" } == "no-store" }
        }
    }
}
