#if AVIF
public import ByteBuffers
import CAVIF
public import Pixels

/// Encodes still AVIF through libavif and the AV1 encoder that it was built with.
///
/// 8 bits. Colour is stored at half the resolution on both axes (4:2:0) below quality 90 and at the full one (4:4:4) from
/// there, as JPEG's is: a photograph gains 2 dB by it for a fifth more bytes, more than the same bytes buy in 4:2:0, and
/// coloured text stays readable. The options' quality sets the quantizer of colours and alpha alike: 1 is AV1's 62, 100
/// its 0. Without loss, red, green and blue are stored as they are. Alpha is stored straight.
///
/// Colours are named by code points, or by their profile; EXIF and XMP go into the container. An effort of 10 is libaom's
/// slowest way, which takes minutes for a photograph.
public struct AVIFEncoder: ImageEncoder {
    /// libavif's scale from 0, slowest, to 10: here the effort that a server spends on a picture that is kept.
    private static let usualSpeed = 6
    /// The quality from which colour keeps its full resolution.
    static let fullColourQuality = 90
    /// A side of AV1's frame header.
    private static let longestSide = 65_536

    public init() {}

    public var library: CodecLibrary { CodecLibrary(name: "libavif", version: String(cString: avifVersion())) }

    public var encodableFormats: [ImageFormat] { [.avif] }

    public func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool { !options.isLossless }

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
        let keepsColour = options.isLossless || options.quality >= Self.fullColourQuality
        guard
            let image = avifImageCreate(
                UInt32(bitmap.width), UInt32(bitmap.height), 8,
                keepsColour ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420),
            let encoder = avifEncoderCreate()
        else {
            throw CodingError(.outOfMemory, "There is no memory to encode the AVIF.", format: .avif)
        }
        defer {
            avifEncoderDestroy(encoder)
            avifImageDestroy(image)
        }
        try Self.describe(image, options)
        try Self.importPixels(of: straight, into: image)
        Self.configure(encoder, options)

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

    /// Colours, EXIF and XMP.
    private static func describe(
        _ image: UnsafeMutablePointer<avifImage>, _ options: EncodeOptions
    ) throws(CodingError) {
        let codes = options.storedCodePoints
        image.pointee.colorPrimaries = avifColorPrimaries(codes.primaries)
        image.pointee.transferCharacteristics = avifTransferCharacteristics(codes.transfer)
        image.pointee.matrixCoefficients = avifMatrixCoefficients(codes.matrix)
        image.pointee.yuvRange = AVIF_RANGE_FULL
        // libavif copies what it is given; without memory for it, it ends the process.
        func lend(
            _ bytes: Bytes?, _ body: (UnsafeMutablePointer<avifImage>?, UnsafePointer<UInt8>?, Int) -> Void
        ) {
            bytes?.withUnsafeBytes { body(image, $0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        }
        lend(try options.profileBesideCodePoints(for: .avif), avifImageSetProfileICC)
        lend(options.structuredExif(), avifImageSetMetadataExif)
        lend(options.xmp, avifImageSetMetadataXMP)
    }

    private static func importPixels(
        of bitmap: Bitmap, into image: UnsafeMutablePointer<avifImage>
    ) throws(CodingError) {
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

    private static func configure(_ encoder: UnsafeMutablePointer<avifEncoder>, _ options: EncodeOptions) {
        let quantizer = Int32((100 - options.quality) * 63 / 100)
        // Constant quality around one quantizer: libaom may move by a few steps where the eye does not see it.
        let quantizers = options.isLossless ? 0...0 : max(0, quantizer - 4)...min(63, quantizer + 4)
        encoder.pointee.maxThreads = 1
        encoder.pointee.speed = Int32(options.effort.map { 10 - $0 } ?? usualSpeed)
        encoder.pointee.minQuantizer = quantizers.lowerBound
        encoder.pointee.maxQuantizer = quantizers.upperBound
        encoder.pointee.minQuantizerAlpha = quantizers.lowerBound
        encoder.pointee.maxQuantizerAlpha = quantizers.upperBound
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
