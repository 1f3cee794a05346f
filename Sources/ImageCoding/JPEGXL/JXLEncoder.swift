#if JPEGXL
public import ByteBuffers
import CJXL
public import Pixels

/// Encodes still JPEG XL through libjxl.
///
/// 8 bits of sRGB, alpha straight and without loss. The options' quality follows JPEG's scale as libjxl's own tools do: 90
/// is a distance of 1, which is hard to tell from the original, and 100 is without loss.
public struct JXLEncoder: ImageEncoder {
    /// libjxl's scale from 1, fastest, to 9: here half of its default's time.
    private static let effort: Int64 = 5

    public init() {}

    public var library: CodecLibrary {
        CodecLibrary(name: "libjxl", version: JXLDecoder.text(ofVersion: JxlEncoderVersion()))
    }

    public var encodableFormats: [ImageFormat] { [.jpegXL] }

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .jpegXL else {
            throw CodingError(.unsupportedFormat, "The JPEG XL encoder does not make \(format).", format: format)
        }
        let pixels = try bitmap.packed(for: .jpegXL)
        guard let encoder = JxlEncoderCreate(nil) else { throw JXLReader.outOfMemory }
        defer { JxlEncoderDestroy(encoder) }
        let isLossless = options.quality >= 100
        var info = JxlBasicInfo()
        JxlEncoderInitBasicInfo(&info)
        info.xsize = UInt32(clamping: bitmap.width)
        info.ysize = UInt32(clamping: bitmap.height)
        info.bits_per_sample = 8
        info.uses_original_profile = isLossless ? 1 : 0
        if !bitmap.format.isOpaque {
            info.num_extra_channels = 1
            info.alpha_bits = 8
        }
        var color = JxlColorEncoding()
        JxlColorEncodingSetToSRGB(&color, 0)
        try Self.check(JxlEncoderSetBasicInfo(encoder, &info), encoder)
        try Self.check(JxlEncoderSetColorEncoding(encoder, &color), encoder)
        guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else { throw JXLReader.outOfMemory }
        try Self.check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, Self.effort), encoder)
        if isLossless {
            try Self.check(JxlEncoderSetFrameLossless(settings, 1), encoder)
        } else {
            try Self.check(JxlEncoderSetFrameDistance(settings, Self.distance(options.quality)), encoder)
        }
        var layout = JxlPixelFormat(
            num_channels: bitmap.format.isOpaque ? 3 : 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN,
            align: 0)
        let status = pixels.withUnsafeBytes { JxlEncoderAddImageFrame(settings, &layout, $0.baseAddress, $0.count) }
        try Self.check(status, encoder)
        JxlEncoderCloseInput(encoder)
        return try Self.output(of: encoder)
    }

    private static func output(of encoder: OpaquePointer) throws(CodingError) -> Bytes {
        let count = 1 << 16
        let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        defer { piece.deallocate() }
        var bytes = ByteAccumulator(limit: .max)
        while true {
            var next: UnsafeMutablePointer<UInt8>? = piece
            var room = count
            let status = JxlEncoderProcessOutput(encoder, &next, &room)
            guard status == JXL_ENC_SUCCESS || status == JXL_ENC_NEED_MORE_OUTPUT else {
                try check(status, encoder)
                return Bytes()
            }
            do {
                try bytes.append(UnsafeRawBufferPointer(start: piece, count: count - room))
            } catch {
                throw JXLReader.outOfMemory
            }
            if status == JXL_ENC_SUCCESS { return bytes.finish() }
        }
    }

    /// The scale of libjxl's tools: straight down to quality 30, ever faster below.
    private static func distance(_ quality: Int) -> Float {
        if quality >= 30 { return 0.1 + Float(100 - quality) * 0.09 }
        var power: Float = 1
        for _ in 0..<(30 - quality) { power *= 1.2011 }
        return min(15, 6.24 + power / 6.25)
    }

    private static func check(_ status: JxlEncoderStatus, _ encoder: OpaquePointer) throws(CodingError) {
        guard status != JXL_ENC_SUCCESS else { return }
        let code = JxlEncoderGetError(encoder)
        if code == JXL_ENC_ERR_OOM { throw JXLReader.outOfMemory }
        throw CodingError(
            .encodingFailed, "libjxl refused the picture: its error is \(code.rawValue).", format: .jpegXL)
    }
}
#endif
