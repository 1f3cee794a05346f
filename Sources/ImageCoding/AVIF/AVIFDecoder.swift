#if AVIF
import CAVIF
public import Pixels

/// Decodes AVIF, and the first picture of an AVIF sequence, through libavif.
///
/// 8 to 12 bits a channel, grids, and alpha of either kind become 8-bit RGBA; 10 and 12 bits are rounded. The container's
/// crop is applied, its turn and mirror are reported as the orientation, and EXIF's is ignored, since the container wins.
/// Colour profiles are left alone. libavif decodes at full size, in one go: a request to stop is heard before and after.
public struct AVIFDecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary { CodecLibrary(name: "libavif", version: String(cString: avifVersion())) }

    public var decodableFormats: [ImageFormat] { [.avif] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let container = try AVIFContainer(bytes)
        return ImageInfo(
            format: .avif, storedSize: container.crop.size, orientation: container.orientation,
            hasAlpha: container.hasAlpha, frameCount: container.frameCount)
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        // libavif would call a picture beyond its limit damaged; asked without a limit it tells the size.
        try options.limits.check(AVIFContainer(bytes).codedSize, format: .avif)
        try options.checkCancellation()
        let container = try AVIFContainer(bytes, maxPixels: options.limits.maxPixels)
        let (codedSize, crop) = (container.codedSize, container.crop)
        try container.decodeFirst()
        guard container.codedSize == codedSize else {
            throw CodingError(.malformed, "The AVIF's picture contradicts its header.", format: .avif)
        }
        try options.checkCancellation()
        let header = RowHeader(size: crop.size, format: container.hasAlpha ? .rgba8 : .rgbx8)
        if crop == PixelRect(codedSize) {
            return try sink.deliverWhole(header, options: options) { try container.convert(into: $0) }
        }
        // Colours at the crop's edge are made from what lies outside, too.
        var whole = try Bitmap(uninitialized: codedSize, format: header.format)
        try whole.withRows { try container.convert(into: $0) }
        try sink.deliver(header, options: options) { strip, rows in
            whole.copy(
                PixelRect(x: crop.x, y: crop.y + rows.lowerBound, width: crop.width, height: rows.count), to: strip)
        }
    }
}
#endif
