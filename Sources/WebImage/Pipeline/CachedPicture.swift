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
    /// Which address it was made of, in whatever size, see ``ImageRequest/addressDigest``.
    let address: KeyDigest

    init(bitmap: Bitmap, info: ImageInfo, byteCount: Int, validity: Validity, address: KeyDigest) {
        self.bitmap = bitmap
        self.info = info
        self.byteCount = byteCount
        self.validity = validity
        self.address = address
    }
}

/// The memory cache of a pipeline: decoded pictures, limited by the exact bytes of their pixels.
public typealias ImageMemoryCache = MemoryCache<KeyDigest, CachedPicture>

extension ImageMemoryCache {
    /// A cache as a pipeline has it by default: with the weak level `WeakLevel.pixels`, and told of memory pressure by
    /// `MemoryPressureMonitor.shared`. Every call makes a new one.
    ///
    /// The weak level costs a quarter of a microsecond for each picture that makes room, and nothing for a hit. What it
    /// finds would have been decoded a second time, for half a millisecond at least, and held twice.
    ///
    /// - Parameters:
    ///   - costLimit: bytes of pixels. Default: `MemoryBudget.cacheLimit` of this process.
    ///   - countLimit: the most pictures; nil, the default, leaves it to their sizes.
    public static func standard(
        costLimit: Int = MemoryBudget.current.cacheLimit, countLimit: Int? = nil
    ) -> ImageMemoryCache {
        let cache = ImageMemoryCache(costLimit: costLimit, countLimit: countLimit, weakLevel: .pixels)
        MemoryPressureMonitor.shared.add(cache)
        return cache
    }
}

extension WeakLevel<CachedPicture> {
    /// Finds a picture again as long as anybody holds its pixels: a bitmap from a response, or any copy of it.
    public static var pixels: WeakLevel {
        WeakLevel { picture in
            let bitmap = WeakBitmap(picture.bitmap)
            return {
                [
                    info = picture.info, byteCount = picture.byteCount, validity = picture.validity,
                    address = picture.address
                ]
                in
                bitmap.bitmap.map {
                    CachedPicture(bitmap: $0, info: info, byteCount: byteCount, validity: validity, address: address)
                }
            }
        }
    }
}
