import ByteBuffers
public import ImageCaching
public import ImageCoding
public import Pixels
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Loads pictures: memory, disk, network, decoder and resampler behind one call.
///
/// ```swift
/// let picture = try await ImagePipeline.shared.image(for: url)
/// ```
///
/// A pipeline may be used from any number of threads. Tasks that want the same thing share one download and one decode,
/// different sizes of one picture share its bytes, and the last task that leaves stops the work.
public final class ImagePipeline: Sendable {
    /// The pipeline of programs that need only one: default parts, cache in the user's cache folder.
    public static let shared = ImagePipeline()

    let core: PipelineCore

    public init(configuration: Configuration = Configuration()) {
        core = PipelineCore(configuration)
    }

    /// Loads a picture.
    ///
    /// - Parameters:
    ///   - url: `http:`, `https:`, `file:` or `data:`.
    ///   - target: the wanted size, `nil` for the picture's own.
    /// - Returns: upright pixels.
    /// - Throws: ``ImageError``.
    public func image(for url: URL, target: TargetSize? = nil) async throws(ImageError) -> Bitmap {
        try await response(for: ImageRequest(url: url, target: target)).bitmap
    }

    /// Loads a picture and says where it came from and what each step took.
    ///
    /// - Throws: ``ImageError``.
    public func response(for request: ImageRequest) async throws(ImageError) -> ImageResponse {
        if let cached = cachedResponse(for: request) {
            core.observe {
                PipelineEvent(.load, of: request, run: .zero, end: core.now(), tier: cached.tier)
            }
            return cached
        }
        return try await task(for: request).response
    }

    /// Starts a load that can be watched, moved and cancelled.
    public func task(for request: ImageRequest) -> ImageTask {
        let task = ImageTask(request, core)
        core.start(task)
        return task
    }

    /// Starts a load of original bytes: nothing is decoded, nothing kept in memory. It shares the download with loads of
    /// pictures, and the disk cache keeps what begins like a picture.
    public func dataTask(for request: ImageRequest) -> DataTask {
        let task = DataTask(request, core)
        core.start(task)
        return task
    }

    /// Loads original bytes.
    ///
    /// - Throws: ``ImageError``.
    public func data(for request: ImageRequest) async throws(ImageError) -> DataResponse {
        try await dataTask(for: request).response
    }

    /// Looks in memory only. Returns at once, never suspends, and allocates nothing.
    ///
    /// A picture that is stale but may be used while the origin is asked (`stale-while-revalidate`) is returned and marked
    /// so, and the origin is asked in the background.
    ///
    /// - Returns: `nil` when the picture is not in memory, or when the request does not read it.
    public func cachedResponse(for request: ImageRequest) -> ImageResponse? {
        guard let hit = core.cached(request) else { return nil }
        if hit.use.mustRevalidate { core.revalidate(request) }
        return hit.response
    }

    /// Reads a picture's header: gets the bytes like any load, but decodes nothing.
    ///
    /// - Returns: what the header says, and how many bytes the original has.
    /// - Throws: ``ImageError``. The limits on pixels are not applied; those on bytes are.
    public func info(for request: ImageRequest) async throws(ImageError) -> (info: ImageInfo, byteCount: Int) {
        let bytes = try await data(for: request).bytes
        do {
            return (try bytes.withUnsafeBytes { try core.pictures.coders.info(of: $0) }, bytes.count)
        } catch {
            throw ImageError(error, stage: .decode, request)
        }
    }

    /// Forgets a picture: whatever was made of its address in memory, in all sizes, and its bytes on disk in all variants.
    /// Every entry in memory is looked at. What is being loaded now is kept when it comes. Tiers are told in the background, see ``finishWrites()``; one that does not work then keeps what it has.
    ///
    /// - Throws: `CacheError` when the bytes are on disk and stay. This blocks: call it where files may be written.
    public func remove(_ request: ImageRequest) throws(CacheError) {
        let address = request.addressDigest
        core.memory?.removeAll { $1.address == address }
        core.removeFromTiers(request)
        try core.results.removeAll(of: request)
        try core.bytes.remove(request)
    }

    /// How many tasks wait for their outcome now, those that ask in the background whether something is still right among
    /// them.
    public var taskCount: Int { core.graph.withLock { $0.allWaiters.count } }

    /// Cancels every task that waits for its outcome now.
    public func cancelAll() {
        for waiter in core.graph.withLock({ $0.allWaiters }) { waiter.task.cancel() }
    }

    /// While it is `true` no download starts; what runs goes on, and so do memory, disk and local files. Default `false`.
    public func pauseDownloads(_ isPaused: Bool) {
        core.bytes.fetcher.pauseDownloads(isPaused)
    }

    /// Lets every address be asked again that has failed just now.
    public func forgetFailures() {
        core.failures.withLock { $0.forgetAll() }
    }

    func isPicture(_ bytes: Bytes) -> Bool { core.pictures.isPicture(bytes) }

    /// Returns when the pictures that have been delivered so far are on disk and in the tiers, and does not wait for those
    /// that come later.
    /// A program calls it before it ends.
    public func finishWrites() async {
        await core.writes.wait()
    }
}
