public import Pixels

/// What a picture's header says, read without decoding any pixel.
public struct ImageInfo: Hashable, Sendable {
    public var format: ImageFormat
    /// The size of the stored rows, before ``orientation`` is applied.
    public var storedSize: PixelSize
    public var orientation: Orientation
    /// The format stores transparency for this picture. That a pixel really is transparent is not promised.
    public var hasAlpha: Bool
    /// How many frames there are, or pages of a document; `nil` when that is not known without walking the whole file. Which
    /// of the two ``AnimationHeader/isPaged`` says.
    public var frameCount: Int?
    /// The picture comes in several passes from coarse to fine: progressive JPEG, interlaced PNG or GIF.
    public var isProgressive: Bool
    /// What the file says about its colours, in ``decodedColor(_:)`` what the decoded pixels have of it.
    public var color: ColorDescription
    /// Bits of one stored channel: 8 for most, 1 to 16, 32 for floats. Of a palette, the bits of its colours.
    public var bitsPerComponent: Int
    /// A second picture comes along that says how to brighten this one on a display of high dynamic range (ISO 21496-1,
    /// Ultra HDR). It is not decoded and no encoder keeps it.
    public var hasGainMap: Bool

    /// The size as it is seen, with ``orientation`` applied.
    public var size: PixelSize { orientation.applied(to: storedSize) }

    public init(
        format: ImageFormat, storedSize: PixelSize, orientation: Orientation = .up, hasAlpha: Bool,
        frameCount: Int? = 1, isProgressive: Bool = false, color: ColorDescription = .unspecified,
        bitsPerComponent: Int = 8, hasGainMap: Bool = false
    ) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.frameCount = frameCount
        self.isProgressive = isProgressive
        self.color = color
        self.bitsPerComponent = bitsPerComponent
        self.hasGainMap = hasGainMap
    }

    /// What the colours of the decoded pixels are, which is where a kept profile travels: a bitmap is numbers alone.
    ///
    /// Inks are converted whatever `handling` says, so their profile never describes pixels.
    public func decodedColor(_ handling: ColorHandling) -> ColorDescription {
        guard handling == .keep else { return .sRGB }
        if case .icc(let profile) = color, profile.space == .cmyk { return .sRGB }
        return color
    }
}
