#if HEIF
public import ByteBuffers
import CHEIF
public import Pixels
import Synchronization

/// Encodes HEIC through libheif and the HEVC encoder that it was built with.
///
/// 8 bits. With loss colour is stored at half the resolution on both axes (4:2:0) at every quality, since no other kind can
/// be shown by what plays HEVC in phones; the options' quality is libheif's own, from 1 to 100. Without loss, red, green and
/// blue are stored as they are, which takes an encoder that can: x265 does. Effort chooses one of x265's presets from
/// "ultrafast" to "placebo". Alpha is kept in a picture of its own; colours are named by code points or by their profile,
/// and EXIF and XMP go into the container. Without an HEVC encoder every call ends in `unsupportedFeature`.
public struct HEIFEncoder: ImageEncoder {
    private static let presets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]

    public init() {}

    public var library: CodecLibrary { HEIFStatus.library }

    public var encodableFormats: [ImageFormat] { Self.isAvailable ? [.heic] : [] }

    public func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool { !options.isLossless }

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
        guard !Self.isPrepared.withLock({ $0 }) else { return try Self.make(bitmap, options) }
        return try Self.isPrepared.withLock { isPrepared throws(CodingError) in
            let made = try Self.make(bitmap, options)
            isPrepared = true
            return made
        }
    }

    /// x265 fills its tables when it is first used, and does not see to it that nobody else does so at the same time.
    private static let isPrepared = Mutex(false)

    private static func make(_ bitmap: Bitmap, _ options: EncodeOptions) throws(CodingError) -> Bytes {
        guard let context = heif_context_alloc() else { throw Self.outOfMemory }
        defer { heif_context_free(context) }
        var image: OpaquePointer?
        defer { heif_image_release(image) }
        try Self.fill(&image, with: bitmap.straightened(for: .heic))

        var encoder: OpaquePointer?
        try Self.check(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder))
        defer { heif_encoder_release(encoder) }
        try Self.configure(encoder, options)
        guard let settings = heif_encoding_options_alloc(), let codes = heif_nclx_color_profile_alloc() else {
            throw Self.outOfMemory
        }
        defer {
            heif_encoding_options_free(settings)
            heif_nclx_color_profile_free(codes)
        }
        try Self.nameColors(of: image, codes, options)
        settings.pointee.output_nclx_profile = codes
        // Old versions of macOS cannot read pictures with such a box, so it is left out where nothing depends on it.
        let needsCodes = options.isLossless || options.color.simplified.isNamedByCodePoints
        settings.pointee.macOS_compatibility_workaround_no_nclx_profile = needsCodes ? 0 : 1
        var handle: OpaquePointer?
        defer { heif_image_handle_release(handle) }
        try Self.check(heif_context_encode_image(context, image, encoder, settings, &handle))
        try Self.addMetadata(to: context, handle, options)
        return try Self.bytes(of: context)
    }

    private static func configure(_ encoder: OpaquePointer?, _ options: EncodeOptions) throws(CodingError) {
        try check(heif_encoder_set_logging_level(encoder, 0))
        // Threads beside the caller's are not x265's to start; another encoder has no such setting.
        _ = heif_encoder_set_parameter(encoder, "x265:pools", "none")
        if let effort = options.effort {
            let preset = presets[effort * (presets.count - 1) / 10]
            // Another encoder has other names for it.
            _ = heif_encoder_set_parameter(encoder, "preset", preset)
        }
        guard options.isLossless else {
            return try check(heif_encoder_set_lossy_quality(encoder, Int32(options.quality)))
        }
        let canKeepAll =
            heif_encoder_set_lossless(encoder, 1).code == heif_error_Ok
            && heif_encoder_set_parameter(encoder, "chroma", "444").code == heif_error_Ok
        guard canKeepAll else {
            throw CodingError(
                .unsupportedFeature, "The HEVC encoder of this libheif cannot store a picture without loss.",
                format: .heic)
        }
    }

    private static func nameColors(
        of image: OpaquePointer?, _ target: UnsafeMutablePointer<heif_color_profile_nclx>, _ options: EncodeOptions
    ) throws(CodingError) {
        let codes = options.storedCodePoints
        try check(heif_nclx_color_profile_set_color_primaries(target, UInt16(codes.primaries)))
        try check(heif_nclx_color_profile_set_transfer_characteristics(target, UInt16(codes.transfer)))
        try check(heif_nclx_color_profile_set_matrix_coefficients(target, UInt16(codes.matrix)))
        target.pointee.full_range_flag = 1
        try check(heif_image_set_nclx_color_profile(image, target))
        guard let profile = try options.profileBesideCodePoints(for: .heic) else { return }
        try check(
            profile.withUnsafeBytes { heif_image_set_raw_color_profile(image, "prof", $0.baseAddress, $0.count) })
    }

    private static func addMetadata(
        to context: OpaquePointer, _ handle: OpaquePointer?, _ options: EncodeOptions
    ) throws(CodingError) {
        if let exif = options.structuredExif() {
            try check(
                exif.withUnsafeBytes {
                    heif_context_add_exif_metadata(context, handle, $0.baseAddress, Int32(clamping: $0.count))
                })
        }
        if let xmp = options.xmp {
            try check(
                xmp.withUnsafeBytes {
                    heif_context_add_XMP_metadata(context, handle, $0.baseAddress, Int32(clamping: $0.count))
                })
        }
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
