public import Pixels

/// What a picture's header says, read without decoding any pixel.
public struct ImageInfo: Hashable, Sendable {
    public var format: ImageFormat
    /// The size of the stored rows, before ``orientation`` is applied.
    public var storedSize: PixelSize
    public var orientation: Orientation
    /// The format stores transparency for this picture. That a pixel really is transparent is not promised.
    public var hasAlpha: Bool
    /// How many frames there are, `nil` when that is not known without walking the whole file.
    public var frameCount: Int?
    /// The picture comes in several passes from coarse to fine: progressive JPEG, interlaced PNG or GIF.
    public var isProgressive: Bool

    /// The size as it is seen, with ``orientation`` applied.
    public var size: PixelSize { orientation.applied(to: storedSize) }

    public init(
        format: ImageFormat, storedSize: PixelSize, orientation: Orientation = .up, hasAlpha: Bool,
        frameCount: Int? = 1, isProgressive: Bool = false
    ) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.frameCount = frameCount
        self.isProgressive = isProgressive
    }
}
