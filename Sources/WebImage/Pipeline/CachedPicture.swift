public import ImageCaching
public import ImageCoding
public import Pixels

/// A decoded picture as the memory cache keeps it.
public final class CachedPicture: Sendable {
    public let bitmap: Bitmap
    /// The picture as it moves, where that was wanted. Its frames count in the ``FrameBudget`` while it is played.
    public let animation: AnimatedImage?
    /// It is known not to move.
    let isStill: Bool
    /// The original's header.
    public let info: ImageInfo
    /// How many bytes the original has.
    public let byteCount: Int
    /// How long it may be used.
    let validity: Validity
    /// Which address it was made of, in whatever size, see ``ImageRequest/addressDigest``.
    let address: KeyDigest

    /// - Parameter isStill: `nil` when only the header can tell.
    init(
        bitmap: Bitmap, animation: AnimatedImage? = nil, isStill: Bool? = nil, info: ImageInfo, byteCount: Int,
        validity: Validity, address: KeyDigest
    ) {
        self.bitmap = bitmap
        self.animation = animation
        self.isStill = isStill ?? (info.frameCount == 1)
        self.info = info
        self.byteCount = byteCount
        self.validity = validity
        self.address = address
    }

    /// What the memory cache counts: the pixels, and of an animation the encoded bytes, which are kept for its frames. All
    /// of its frames count where they are held in any case.
    var cost: Int {
        guard let animation else { return bitmap.byteCost }
        return animation.isPreloaded ? animation.memoryCost : bitmap.byteCost + animation.bytes.count
    }

    /// Whether it is what a request wants, as far as it moves.
    func suits(_ request: ImageRequest) -> Bool {
        request.wantsAnimation ? animation != nil || isStill : animation == nil
    }

    /// The same picture, as long as it may be used now.
    func with(_ validity: Validity) -> CachedPicture {
        CachedPicture(
            bitmap: bitmap, animation: animation, isStill: isStill, info: info, byteCount: byteCount,
            validity: validity, address: address)
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
    /// Finds a picture again as long as anybody holds its pixels: a bitmap from a response, or any copy of it; and its
    /// animation, if it has one.
    public static var pixels: WeakLevel {
        WeakLevel { picture in
            let bitmap = WeakBitmap(picture.bitmap)
            let animation = picture.animation.map { WeakAnimation(animation: $0) }
            return {
                [
                    isStill = picture.isStill, info = picture.info, byteCount = picture.byteCount,
                    validity = picture.validity, address = picture.address
                ]
                in
                guard let bitmap = bitmap.bitmap else { return nil }
                let moving = animation?.animation
                // Without its animation it is another picture.
                guard animation == nil || moving != nil else { return nil }
                return CachedPicture(
                    bitmap: bitmap, animation: moving, isStill: isStill, info: info, byteCount: byteCount,
                    validity: validity, address: address)
            }
        }
    }
}

private struct WeakAnimation: Sendable {
    weak let animation: AnimatedImage?
}
