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
    /// How long it may be used.
    let validity: Validity

    init(bitmap: Bitmap, info: ImageInfo, byteCount: Int, validity: Validity) {
        self.bitmap = bitmap
        self.info = info
        self.byteCount = byteCount
        self.validity = validity
    }
}

/// The memory cache of a pipeline: decoded pictures, limited by the exact bytes of their pixels.
public typealias ImageMemoryCache = MemoryCache<KeyDigest, CachedPicture>
