public import ImageCoding
import Pixels

/// How finished pictures are written to disk.
public struct ResultEncoding: Hashable, Sendable {
    /// For pictures without transparency.
    public var opaqueFormat: ImageFormat
    /// For pictures with transparency.
    public var format: ImageFormat
    public var options: EncodeOptions

    public init(opaqueFormat: ImageFormat, format: ImageFormat, options: EncodeOptions = EncodeOptions()) {
        self.opaqueFormat = opaqueFormat
        self.format = format
        self.options = options
    }

    /// PNG: what comes from the disk is, pixel by pixel, what was put there.
    public static let lossless = ResultEncoding(opaqueFormat: .png, format: .png)

    /// JPEG of quality 90 where nothing is transparent, else PNG: a photograph takes a tenth of the room, and differs a
    /// little from what was shown the first time.
    public static let compact = ResultEncoding(
        opaqueFormat: .jpeg, format: .png, options: EncodeOptions(quality: 90))

    func format(for bitmap: Bitmap) -> ImageFormat { bitmap.format.isOpaque ? opaqueFormat : format }
}
