#if JPEG
public import ByteBuffers
import CJPEGShim
public import Pixels

/// Encodes JPEG with libjpeg-turbo.
///
/// Colour is stored at half the resolution on both axes (4:2:0) below quality 90 and at the full one (4:4:4) from there:
/// who asks for that quality wants sharp coloured edges too. The standard's Huffman tables are used for a baseline file,
/// which is six times faster than a progressive one; an effort of 6 and more makes tables for the picture. EXIF, XMP, a
/// profile and a thumbnail in EXIF are written as the options say.
public struct JPEGEncoder: ImageEncoder {
    /// The quality from which colour keeps its full resolution.
    static let fullColourQuality = 90
    /// The effort from which the file gets Huffman tables of its own, in twice the time.
    static let effortOfOwnCodes = 6

    public init() {}

    public var library: CodecLibrary { .jpeg }

    public var encodableFormats: [ImageFormat] { [.jpeg] }

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .jpeg else {
            throw CodingError(.unsupportedFormat, "The JPEG encoder does not make \(format).", format: format)
        }
        guard bitmap.format == .rgba8 || bitmap.format == .rgbx8 else {
            throw CodingError(.unsupportedFeature, "The JPEG encoder takes 8-bit RGBA pixels only.", format: format)
        }
        return try Self.encode(bitmap, options, JPEGApplicationData(for: bitmap, options))
    }

    /// Encodes pixels with these segments before them.
    static func encode(
        _ bitmap: Bitmap, _ options: EncodeOptions, _ applications: JPEGApplicationData
    ) throws(CodingError) -> Bytes {
        let background = options.background
        var encoding = cjpeg_encoding(
            quality: Int32(options.quality), halves_colour: options.quality < fullColourQuality ? 1 : 0,
            is_progressive: options.isProgressive ? 1 : 0,
            optimizes_codes: (options.effort ?? 0) >= effortOfOwnCodes ? 1 : 0,
            background: (background.red, background.green, background.blue))
        var memory: UnsafeMutablePointer<UInt8>?
        var count = 0
        var message = cjpeg_message()
        let status = applications.withSegments { segments in
            bitmap.withUnsafeBytes { pixels in
                var picture = cjpeg_picture(
                    base: pixels.bindMemory(to: UInt8.self).baseAddress, bytes_per_row: bitmap.bytesPerRow,
                    width: UInt32(clamping: bitmap.width), height: UInt32(clamping: bitmap.height),
                    is_premultiplied: bitmap.format.isOpaque ? 0 : 1)
                return cjpeg_encode(
                    &picture, &encoding, segments.baseAddress, segments.count, &memory, &count, &message)
            }
        }
        guard status == CJPEG_OK, let memory else {
            throw CodingError(jpeg: status, message, whileEncoding: true)
        }
        return Bytes(adopting: memory, count: count)
    }
}
#endif
