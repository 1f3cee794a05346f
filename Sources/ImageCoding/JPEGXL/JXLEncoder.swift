#if JPEGXL
public import ByteBuffers
import CJXL
public import Pixels

/// Encodes still JPEG XL through libjxl.
///
/// 8 bits, alpha straight and without loss. The options' quality follows JPEG's scale as libjxl's own tools do: 90 is a
/// distance of 1, which is hard to tell from the original, and 100 is without loss, as is every quality when the options say
/// so. Colours are named by JPEG XL's own numbers or by their profile. With EXIF or XMP the file is a container, else a bare
/// codestream.
public struct JXLEncoder: ImageEncoder {
    /// libjxl's scale from 1, fastest, to 9: here half of its default's time.
    private static let usualEffort = 5

    public init() {}

    public var library: CodecLibrary {
        CodecLibrary(name: "libjxl", version: JXLDecoder.text(ofVersion: JxlEncoderVersion()))
    }

    public var encodableFormats: [ImageFormat] { [.jpegXL] }

    public func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool { !options.isLossless }

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .jpegXL else {
            throw CodingError(.unsupportedFormat, "The JPEG XL encoder does not make \(format).", format: format)
        }
        let pixels = try bitmap.packed(for: .jpegXL)
        guard let encoder = JxlEncoderCreate(nil) else { throw JXLReader.outOfMemory }
        defer { JxlEncoderDestroy(encoder) }
        let isLossless = options.isLossless || options.quality >= 100
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
        let boxes = Self.boxes(options)
        if !boxes.isEmpty { try Self.check(JxlEncoderUseBoxes(encoder), encoder) }
        try Self.check(JxlEncoderSetBasicInfo(encoder, &info), encoder)
        try Self.nameColors(encoder, options)
        try Self.add(boxes, to: encoder)
        let settings = try Self.settings(encoder, options, isLossless: isLossless)
        var layout = JxlPixelFormat(
            num_channels: bitmap.format.isOpaque ? 3 : 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN,
            align: 0)
        let status = pixels.withUnsafeBytes { JxlEncoderAddImageFrame(settings, &layout, $0.baseAddress, $0.count) }
        try Self.check(status, encoder)
        JxlEncoderCloseInput(encoder)
        return try Self.output(of: encoder)
    }

    private static func settings(
        _ encoder: OpaquePointer, _ options: EncodeOptions, isLossless: Bool
    ) throws(CodingError) -> OpaquePointer {
        guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else { throw JXLReader.outOfMemory }
        func set(_ option: JxlEncoderFrameSettingId, _ value: Int) throws(CodingError) {
            try check(JxlEncoderFrameSettingsSetOption(settings, option, Int64(value)), encoder)
        }
        try set(JXL_ENC_FRAME_SETTING_EFFORT, options.effort.map { 1 + $0 * 8 / 10 } ?? usualEffort)
        if options.isProgressive {
            try set(isLossless ? JXL_ENC_FRAME_SETTING_RESPONSIVE : JXL_ENC_FRAME_SETTING_PROGRESSIVE_DC, 1)
        }
        if isLossless {
            try check(JxlEncoderSetFrameLossless(settings, 1), encoder)
        } else {
            try check(JxlEncoderSetFrameDistance(settings, distance(options.quality)), encoder)
        }
        return settings
    }

    // MARK: Beside the pixels

    private static func nameColors(_ encoder: OpaquePointer, _ options: EncodeOptions) throws(CodingError) {
        let color = options.color.simplified
        if var encoding = JxlColorEncoding(color) {
            return try check(JxlEncoderSetColorEncoding(encoder, &encoding), encoder)
        }
        guard let profile = try options.profile(for: .jpegXL) else { return }
        try check(
            profile.withUnsafeBytes {
                JxlEncoderSetICCProfile(encoder, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
            }, encoder)
    }

    private static func boxes(_ options: EncodeOptions) -> [(type: [CChar], content: [UInt8])] {
        var boxes: [(type: [CChar], content: [UInt8])] = []
        func add(_ name: String, _ content: [UInt8]) { boxes.append((name.utf8.map(CChar.init(bitPattern:)), content)) }
        // Four bytes say how far behind them the TIFF structure starts.
        if let exif = options.structuredExif() { add("Exif", [0, 0, 0, 0] + exif.array) }
        if let xmp = options.xmp { add("xml ", xmp.array) }
        return boxes
    }

    private static func add(
        _ boxes: [(type: [CChar], content: [UInt8])], to encoder: OpaquePointer
    ) throws(CodingError) {
        guard !boxes.isEmpty else { return }
        for box in boxes {
            try check(JxlEncoderAddBox(encoder, box.type, box.content, box.content.count, 0), encoder)
        }
        JxlEncoderCloseBoxes(encoder)
    }

    // MARK: The file

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

extension JxlColorEncoding {
    /// JPEG XL's own numbers, which are H.273's where both have one. `nil` for colours that take a profile.
    fileprivate init?(_ color: ColorDescription) {
        self.init()
        JxlColorEncodingSetToSRGB(&self, 0)
        switch color {
        case .sRGB, .unspecified: return
        case .codePoints(let codes):
            switch codes.primaries {
            case 1: primaries = JXL_PRIMARIES_SRGB
            case 9: primaries = JXL_PRIMARIES_2100
            case 12: primaries = JXL_PRIMARIES_P3
            default: return nil
            }
            switch codes.transfer {
            case 1: transfer_function = JXL_TRANSFER_FUNCTION_709
            case 8: transfer_function = JXL_TRANSFER_FUNCTION_LINEAR
            case 13: transfer_function = JXL_TRANSFER_FUNCTION_SRGB
            case 16: transfer_function = JXL_TRANSFER_FUNCTION_PQ
            case 18: transfer_function = JXL_TRANSFER_FUNCTION_HLG
            default: return nil
            }
        case .icc, .calibrated: return nil
        }
    }
}
#endif
