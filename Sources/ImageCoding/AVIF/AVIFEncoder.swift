#if AVIF
public import ByteBuffers
import CAVIF
public import Pixels

/// Encodes still AVIF with loss, through libavif and the AV1 encoder that it was built with.
///
/// 8 bits, colour at half the resolution, sRGB named in the container. The options' quality sets the quantizer of colours
/// and alpha alike: 1 is AV1's 62, 100 its 0. Alpha is stored straight.
public struct AVIFEncoder: ImageEncoder {
    /// libavif's scale from 0, slowest, to 10: here the effort that a server spends on a picture that is kept.
    private static let speed: Int32 = 6
    /// A side of AV1's frame header.
    private static let longestSide = 65_536

    public init() {}

    public var library: CodecLibrary { CodecLibrary(name: "libavif", version: String(cString: avifVersion())) }

    public var encodableFormats: [ImageFormat] { [.avif] }

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .avif else {
            throw CodingError(.unsupportedFormat, "The AVIF encoder does not make \(format).", format: format)
        }
        guard bitmap.width <= Self.longestSide, bitmap.height <= Self.longestSide else {
            throw CodingError(.encodingFailed, "An AVIF's side may have at most 65536 pixels.", format: .avif)
        }
        let straight = try bitmap.straightened(for: .avif)
        guard
            let image = avifImageCreate(
                UInt32(bitmap.width), UInt32(bitmap.height), 8, AVIF_PIXEL_FORMAT_YUV420),
            let encoder = avifEncoderCreate()
        else {
            throw CodingError(.outOfMemory, "There is no memory to encode the AVIF.", format: .avif)
        }
        defer {
            avifEncoderDestroy(encoder)
            avifImageDestroy(image)
        }
        try Self.importPixels(of: straight, into: image)
        try Self.configure(encoder, quality: options.quality)

        var output = avifRWData(data: nil, size: 0)
        defer { avifRWDataFree(&output) }
        let status = avifEncoderWrite(encoder, image, &output)
        guard status == AVIF_RESULT_OK else { throw Self.error(status, encoder.pointee.diag) }
        do {
            return try Bytes(copying: UnsafeRawBufferPointer(start: output.data, count: output.size))
        } catch {
            throw CodingError(.outOfMemory, "There is no memory to encode the AVIF.", format: .avif)
        }
    }

    private static func importPixels(
        of bitmap: Bitmap, into image: UnsafeMutablePointer<avifImage>
    ) throws(CodingError) {
        // sRGB by its code points (ITU-T H.273): primaries of BT.709, its own transfer, and the matrix of BT.601.
        image.pointee.colorPrimaries = 1
        image.pointee.transferCharacteristics = 13
        image.pointee.matrixCoefficients = 6
        image.pointee.yuvRange = AVIF_RANGE_FULL
        var pixels = avifRGBImage()
        avifRGBImageSetDefaults(&pixels, image)
        pixels.format = AVIF_RGB_FORMAT_RGBA
        pixels.ignoreAlpha = bitmap.format.isOpaque ? 1 : 0
        pixels.rowBytes = UInt32(clamping: bitmap.bytesPerRow)
        let status = bitmap.withUnsafeBytes { bytes in
            // libavif only reads them.
            pixels.pixels = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            return avifImageRGBToYUV(image, &pixels)
        }
        guard status == AVIF_RESULT_OK else { throw error(status, avifDiagnostics()) }
    }

    private static func configure(
        _ encoder: UnsafeMutablePointer<avifEncoder>, quality: Int
    ) throws(CodingError) {
        let quantizer = Int32((100 - min(max(quality, 0), 100)) * 63 / 100)
        encoder.pointee.maxThreads = 1
        encoder.pointee.speed = speed
        // Constant quality around one quantizer: libaom may move by a few steps where the eye does not see it.
        encoder.pointee.minQuantizer = max(0, quantizer - 4)
        encoder.pointee.maxQuantizer = min(63, quantizer + 4)
        encoder.pointee.minQuantizerAlpha = encoder.pointee.minQuantizer
        encoder.pointee.maxQuantizerAlpha = encoder.pointee.maxQuantizer
    }

    private static func error(_ status: avifResult, _ diagnostics: avifDiagnostics) -> CodingError {
        let text = AVIFStatus.text(status, diagnostics)
        return switch status {
        case AVIF_RESULT_OUT_OF_MEMORY:
            CodingError(.outOfMemory, "There is no memory to encode the AVIF.", format: .avif)
        case AVIF_RESULT_NO_CODEC_AVAILABLE:
            CodingError(.unsupportedFeature, "libavif was built without an AV1 encoder.", format: .avif)
        default:
            CodingError(.encodingFailed, "libavif refused the picture: \(text).", format: .avif)
        }
    }
}
#endif
