public import Pixels

/// How one picture is encoded.
public struct EncodeOptions: Hashable, Sendable {
    /// From 1, smallest, to 100, best. Default 80. Formats without loss do not look at it. Values outside are clamped.
    public var quality: Int
    /// Passes from coarse to fine, where the format has them. Default `false`: a progressive JPEG is a few percent
    /// smaller and takes several times longer to encode and to decode.
    public var isProgressive: Bool
    /// Pixels come back exactly as they are, where a format has both ways, as WebP, AVIF, HEIC and JPEG XL do. Default
    /// `false`. JPEG and GIF have no such way, PNG, TIFF and BMP no other.
    public var isLossless: Bool
    /// From 0, quickest, to 10, smallest; values outside are clamped. Default `nil`: what the coder finds reasonable.
    public var effort: Int?
    /// A larger picture is made smaller until it fits, in its own shape. Default `nil`: as it is.
    ///
    /// Each pixel becomes the mean of those under it. For another filter, resize the bitmap before.
    public var maximumPixelSize: PixelSize?
    /// The file has no more bytes than these, or encoding fails. Default `nil`.
    ///
    /// The best quality that fits is searched, down to ``lowestSearchedQuality``; where that is not enough, or the format
    /// has no loss, the picture becomes smaller. It takes about eight encodes, and as many more when it has to shrink.
    public var maximumBytes: Int?
    /// What transparent pixels are laid over where the format has no alpha. Default white.
    public var background: OpaqueColor
    /// EXIF and XMP that go into the file, where the format has a place for them. Default `nil`: nothing.
    ///
    /// They are written as for an upright picture: an orientation in them becomes 1, and a thumbnail, which shows what was,
    /// is taken out. Of the profile see ``color``.
    public var metadata: ImageMetadata?
    /// What the bitmap's colours are. Default sRGB, for which nothing is written; anything else goes into the file.
    public var color: ColorDescription
    /// The longest side of a small picture that is put into the file, where the format has a place for it: JPEG. From 16 to
    /// 320; values outside are clamped. Default `nil`: none.
    public var thumbnailSide: Int?

    /// Below this a smaller picture looks better than the same one with more loss.
    public static let lowestSearchedQuality = 30

    public init(
        quality: Int = 80, isProgressive: Bool = false, isLossless: Bool = false, effort: Int? = nil,
        maximumPixelSize: PixelSize? = nil, maximumBytes: Int? = nil, background: OpaqueColor = .white,
        metadata: ImageMetadata? = nil, color: ColorDescription = .sRGB, thumbnailSide: Int? = nil
    ) {
        self.quality = min(max(quality, 1), 100)
        self.isProgressive = isProgressive
        self.isLossless = isLossless
        self.effort = effort.map { min(max($0, 0), 10) }
        self.maximumPixelSize = maximumPixelSize
        self.maximumBytes = maximumBytes
        self.background = background
        self.metadata = metadata
        self.color = color
        self.thumbnailSide = thumbnailSide.map { min(max($0, 16), 320) }
    }
}

/// A colour without transparency, in the bitmap's own colours: sRGB as a rule.
public struct OpaqueColor: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    public static let white = OpaqueColor(red: 255, green: 255, blue: 255)
    public static let black = OpaqueColor(red: 0, green: 0, blue: 0)
}
