#if HEIF
public import ByteBuffers
import CHEIF
public import Pixels

/// Encodes HEIC with loss, through libheif and the HEVC encoder that it was built with.
///
/// 8 bits, colour at half the resolution. The options' quality is libheif's own, from 1 to 100. Alpha is kept in a picture
/// of its own. Without an HEVC encoder every call ends in `unsupportedFeature`.
public struct HEIFEncoder: ImageEncoder {
    public init() {}

    public var library: CodecLibrary { HEIFStatus.library }

    public var encodableFormats: [ImageFormat] { Self.isAvailable ? [.heic] : [] }

    /// libheif was built with an HEVC encoder.
    private static let isAvailable = heif_have_encoder_for_format(heif_compression_HEVC) != 0

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .heic else {
            throw CodingError(.unsupportedFormat, "The HEIC encoder does not make \(format).", format: format)
        }
        guard Self.isAvailable else {
            throw CodingError(.unsupportedFeature, "libheif was built without an HEVC encoder.", format: .heic)
        }
        guard let context = heif_context_alloc() else { throw Self.outOfMemory }
        defer { heif_context_free(context) }
        var image: OpaquePointer?
        defer { heif_image_release(image) }
        try Self.fill(&image, with: bitmap.straightened(for: .heic))

        var encoder: OpaquePointer?
        try Self.check(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder))
        defer { heif_encoder_release(encoder) }
        try Self.check(heif_encoder_set_lossy_quality(encoder, Int32(options.quality)))
        try Self.check(heif_encoder_set_logging_level(encoder, 0))
        // Threads beside the caller's are not x265's to start; another encoder has no such setting.
        _ = heif_encoder_set_parameter(encoder, "x265:pools", "none")
        try Self.check(heif_context_encode_image(context, image, encoder, nil, nil))
        return try Self.bytes(of: context)
    }

    private static func fill(_ image: inout OpaquePointer?, with bitmap: Bitmap) throws(CodingError) {
        let (width, height) = (Int32(clamping: bitmap.width), Int32(clamping: bitmap.height))
        let isOpaque = bitmap.format.isOpaque
        try check(
            heif_image_create(
                width, height, heif_colorspace_RGB,
                isOpaque ? heif_chroma_interleaved_RGB : heif_chroma_interleaved_RGBA, &image))
        try check(heif_image_add_plane(image, heif_channel_interleaved, width, height, 8))
        var stride: Int32 = 0
        guard let plane = heif_image_get_plane(image, heif_channel_interleaved, &stride) else { throw outOfMemory }
        bitmap.withUnsafeBytes { pixels in
            guard let base = pixels.baseAddress else { return }
            for row in 0..<bitmap.height {
                let (source, target) = (base + row * bitmap.bytesPerRow, plane + row * Int(stride))
                if isOpaque {
                    for pixel in 0..<bitmap.width {
                        for channel in 0..<3 {
                            target[pixel * 3 + channel] = source.load(
                                fromByteOffset: pixel * 4 + channel, as: UInt8.self)
                        }
                    }
                } else {
                    UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: bitmap.width * 4)
                }
            }
        }
    }

    /// libheif hands the file over in pieces.
    private static func bytes(of context: OpaquePointer) throws(CodingError) -> Bytes {
        final class Output {
            var bytes = ByteAccumulator(limit: .max)
            var isComplete = true
        }
        let output = Output()
        var writer = heif_writer(
            writer_api_version: 1,
            write: { _, data, count, target in
                var status = heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
                guard let target else { return status }
                let output = Unmanaged<Output>.fromOpaque(target).takeUnretainedValue()
                do {
                    try output.bytes.append(UnsafeRawBufferPointer(start: data, count: count))
                } catch {
                    output.isComplete = false
                    status.code = heif_error_Memory_allocation_error
                }
                return status
            })
        try check(heif_context_write(context, &writer, Unmanaged.passUnretained(output).toOpaque()))
        guard output.isComplete else { throw outOfMemory }
        var bytes = ByteAccumulator(limit: 0)
        swap(&bytes, &output.bytes)
        return bytes.finish()
    }

    private static var outOfMemory: CodingError {
        CodingError(.outOfMemory, "There is no memory to encode the HEIC.", format: .heic)
    }

    private static func check(_ status: heif_error) throws(CodingError) {
        guard status.code != heif_error_Ok else { return }
        if status.code == heif_error_Memory_allocation_error { throw outOfMemory }
        throw CodingError(
            .encodingFailed, "libheif refused the picture: \(HEIFStatus.text(status)).", format: .heic)
    }
}
#endif
