public import Pixels

/// How a moving picture is decoded.
public struct AnimationOptions: Sendable {
    /// Only the first frame counts; nothing behind it is read. Default `false`.
    public var isFirstFrameOnly: Bool
    /// The frames as they are wanted, `nil`, the default, as they are.
    public var thumbnail: Thumbnail?
    /// The most bytes of pixels that are kept so that frames need not be decoded again. Default 32 MiB.
    ///
    /// The frame that was shown last, and the canvas that the next one is drawn on, are held in any case.
    public var keptBytes: Int
    /// Default ``DecodeLimits/default``.
    public var limits: DecodeLimits

    public init(
        isFirstFrameOnly: Bool = false, thumbnail: Thumbnail? = nil, keptBytes: Int = 32 << 20,
        limits: DecodeLimits = .default
    ) {
        self.isFirstFrameOnly = isFirstFrameOnly
        self.thumbnail = thumbnail
        self.keptBytes = max(0, keptBytes)
        self.limits = limits
    }

    /// Makes every frame smaller. Frames are composed at full size first: they would not meet at their edges otherwise.
    public struct Thumbnail: Sendable {
        /// The size of what ``resize`` makes, in pixels, as it is seen.
        public var size: PixelSize
        /// Gets a whole upright frame.
        public var resize: @Sendable (Bitmap) throws -> Bitmap

        public init(size: PixelSize, resize: @escaping @Sendable (Bitmap) throws -> Bitmap) {
            self.size = size
            self.resize = resize
        }
    }
}
