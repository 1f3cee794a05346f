import Synchronization
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds out whether what was loaded is in the disk cache, and if not, why.
final class KeepingCheck: Sendable {
    private let warning = Mutex<CacheWarning?>(nil)

    /// The cache does not work.
    func note(_ warning: CacheWarning) { self.warning.withLock { $0 = warning } }

    /// Asks the cache for it, as somebody without a network would, when it has been written.
    ///
    /// - Parameter tier: where it came from; what came from the disk is there.
    /// - Returns: a sentence; nil when it is there, and for what is on this machine and needs no keeping.
    func reason(_ request: ImageRequest, from tier: SourceTier, in pipeline: ImagePipeline) async -> String? {
        guard tier != .disk, ["http", "https"].contains(request.url.scheme?.lowercased()) else { return nil }
        await pipeline.finishWrites()
        var request = request
        request.caching.rule = .cacheOnly
        guard (try? await pipeline.data(for: request)) == nil else { return nil }
        return warning.withLock { $0?.error.message }
            ?? "The server does not let it be stored (Cache-Control: no-store, for example), or it is too large."
    }
}
