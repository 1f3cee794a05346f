public import ImageCaching
public import ImageCoding
public import Pixels

/// A decoded picture as the memory cache keeps it.
public final class CachedPicture: Sendable {
    public let bitmap: Bitmap
    /// The original's header.
    public let info: ImageInfo
    /// How many bytes the original has.
    public let byteCount: Int

    public init(bitmap: Bitmap, info: ImageInfo, byteCount: Int) {
        self.bitmap = bitmap
        self.info = info
        self.byteCount = byteCount
    }

    func response(tier: SourceTier, timings: StageTimings) -> ImageResponse {
        ImageResponse(bitmap: bitmap, info: info, byteCount: byteCount, tier: tier, timings: timings)
    }
}

/// The memory cache of a pipeline: decoded pictures, limited by the exact bytes of their pixels.
public typealias ImageMemoryCache = MemoryCache<KeyDigest, CachedPicture>
