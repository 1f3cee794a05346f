#if WebP
public import ByteBuffers
import CWebP
public import Pixels

/// Encodes still WebP, with or without loss, through libwebp.
///
/// The options' quality is libwebp's own, from 1 to 100; 100 is lossy too. Alpha is kept exactly; colours are divided by
/// it first. EXIF, XMP and a profile are written as the options say. A side may have at most 16,383 pixels.
public struct WebPEncoder: ImageEncoder {
    public init() {}

    public var library: CodecLibrary {
        CodecLibrary(name: "libwebp", version: WebPDecoder.text(ofVersion: WebPGetEncoderVersion()))
    }

    public var encodableFormats: [ImageFormat] { [.webp] }

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .webp else {
            throw CodingError(.unsupportedFormat, "The WebP encoder does not make \(format).", format: format)
        }
        var config = WebPConfig()
        var picture = WebPPicture()
        guard Self.configure(&config, options), WebPPictureInit(&picture) != 0 else {
            throw CodingError(.encodingFailed, "The libwebp that is loaded does not fit this program.", format: .webp)
        }
        defer { WebPPictureFree(&picture) }
        picture.width = Int32(clamping: bitmap.width)
        picture.height = Int32(clamping: bitmap.height)
        picture.use_argb = options.isLossless ? 1 : 0
        try Self.importPixels(of: bitmap, into: &picture)

        var output = WebPMemoryWriter()
        WebPMemoryWriterInit(&output)
        let isEncoded = withUnsafeMutablePointer(to: &output) { output in
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(output)
            return WebPEncode(&config, &picture) != 0
        }
        guard isEncoded, let memory = output.mem else {
            WebPMemoryWriterClear(&output)
            throw Self.error(picture.error_code)
        }
        // libwebp allocates with malloc, so the memory changes hands as it is.
        return try Self.adding(options, to: Bytes(adopting: memory, count: output.size))
    }

    public func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool { !options.isLossless }

    /// `false` when libwebp is another than the one that this was compiled for.
    static func configure(_ config: inout WebPConfig, _ options: EncodeOptions) -> Bool {
        guard WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, Float(options.quality)) != 0 else { return false }
        if options.isLossless {
            // From 0 to 9 in libwebp; 6 is its own middle.
            return WebPConfigLosslessPreset(&config, Int32(min(options.effort ?? 6, 9))) != 0
        }
        // From 0 to 6 in libwebp.
        if let effort = options.effort { config.method = Int32(effort * 6 / 10) }
        return WebPValidateConfig(&config) != 0
    }

    static func importPixels(of bitmap: Bitmap, into picture: inout WebPPicture) throws(CodingError) {
        let isOpaque = bitmap.format.isOpaque
        let straight = try bitmap.straightened(for: .webp)
        let isImported = straight.withUnsafeBytes { pixels in
            let pixels = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let stride = Int32(clamping: straight.bytesPerRow)
            return isOpaque
                ? WebPPictureImportRGBX(&picture, pixels, stride) != 0
                : WebPPictureImportRGBA(&picture, pixels, stride) != 0
        }
        guard isImported else { throw error(picture.error_code) }
    }

    static func error(_ code: WebPEncodingError) -> CodingError {
        switch code {
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
            CodingError(.outOfMemory, "There is no memory to encode the WebP.", format: .webp)
        case VP8_ENC_ERROR_BAD_DIMENSION:
            CodingError(.encodingFailed, "A WebP's side may have at most 16383 pixels.", format: .webp)
        default:
            CodingError(.encodingFailed, "libwebp refused the picture: its error is \(code.rawValue).", format: .webp)
        }
    }
}
#endif
