#if TIFF
public import ByteBuffers
import CTIFFShim
public import Pixels

/// Encodes one page of 8-bit RGB or RGBA without loss, through libtiff: deflated in strips, with the horizontal predictor.
///
/// Always without loss: quality is not looked at. Effort sets deflate's level. Alpha is stored straight; EXIF, XMP and the
/// profile of colours other than sRGB become tags.
public struct TIFFEncoder: ImageEncoder {
    public init() {}

    public var library: CodecLibrary { TIFFDecoder().library }

    public var encodableFormats: [ImageFormat] { [.tiff] }

    public func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool { false }

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .tiff else {
            throw CodingError(.unsupportedFormat, "The TIFF encoder does not make \(format).", format: format)
        }
        let pixels = try bitmap.packed(for: .tiff)
        var (output, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
        var message = [CChar](repeating: 0, count: 256)
        let status = pixels.withUnsafeBytes {
            ctiff_write(
                $0.baseAddress, UInt32(clamping: bitmap.width), UInt32(clamping: bitmap.height),
                bitmap.format.isOpaque ? 3 : 4, options.effort.map { 1 + Int32($0) * 8 / 10 } ?? 0, &output, &count,
                &message)
        }
        guard status == CTIFF_OK, let output else {
            guard status == CTIFF_FAILED else {
                throw CodingError(.outOfMemory, "There is no memory to encode the TIFF.", format: .tiff)
            }
            let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw CodingError(.encodingFailed, "libtiff refused the picture: \(text)", format: .tiff)
        }
        // The shim allocates with malloc, so the memory changes hands as it is.
        return try TIFFTagWriter.add(options, to: Bytes(adopting: output, count: count))
    }
}
#endif
