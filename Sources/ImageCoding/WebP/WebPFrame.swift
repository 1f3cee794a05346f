#if WebP
import CWebP
import Pixels

/// One compressed picture of libwebp's: a still file, or a frame of an animation.
struct WebPFrame {
    let bytes: UnsafeRawBufferPointer
    let size: PixelSize
    let hasAlpha: Bool
    let isAnimated: Bool
    private let isLossless: Bool
    private let format: ImageFormat

    /// Reads the header.
    init(_ bytes: UnsafeRawBufferPointer, format: ImageFormat) throws(CodingError) {
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &features)
        try Self.check(status, format)
        self.bytes = bytes
        self.format = format
        size = PixelSize(width: Int(features.width), height: Int(features.height))
        hasAlpha = features.has_alpha != 0
        isAnimated = features.has_animation != 0
        // libwebp's number for it.
        isLossless = features.format == 2
    }

    /// The smallest size in the frame's own shape that covers `minimum`, and no larger than the frame.
    func size(covering minimum: PixelSize?) -> PixelSize {
        guard let minimum, minimum.isPositive, minimum.width < size.width, minimum.height < size.height else {
            return size
        }
        let scale = max(Double(minimum.width) / Double(size.width), Double(minimum.height) / Double(size.height))
        return PixelSize(
            width: max(minimum.width, Int((Double(size.width) * scale).rounded())),
            height: max(minimum.height, Int((Double(size.height) * scale).rounded())))
    }

    /// Decodes as RGBA with colours multiplied by alpha, scaled on the way when `scaled` differs from the frame's size.
    ///
    /// libwebp could multiply too, but it cuts the fraction off where every other decoder here rounds.
    ///
    /// - Parameter color: what the file around the frame says of its colours.
    func decode(
        scaledTo scaled: PixelSize, color: ColorDescription, options: DecodeOptions, into target: RowStrip
    ) throws(CodingError) {
        var config = try config(scaledTo: scaled, into: target)
        defer { WebPFreeDecBuffer(&config.output) }
        try Self.check(try decode(&config, options: options), format)
        try options.checkCancellation()
        ColorTransform(from: color, layout: hasAlpha ? .rgba8 : .rgbx8, options: options)
            .convert(target, width: scaled.width, rows: scaled.height)
    }

    /// Decodes as straight RGBA into the caller's memory.
    func config(scaledTo scaled: PixelSize, into target: RowStrip) throws(CodingError) -> WebPDecoderConfig {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else {
            throw CodingError(.unsupportedFeature, "The loaded libwebp does not fit this program.", format: format)
        }
        if scaled != size {
            config.options.use_scaling = 1
            config.options.scaled_width = Int32(clamping: scaled.width)
            config.options.scaled_height = Int32(clamping: scaled.height)
        }
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        config.output.u.RGBA.rgba = target.base.assumingMemoryBound(to: UInt8.self)
        config.output.u.RGBA.stride = Int32(clamping: target.bytesPerRow)
        config.output.u.RGBA.size = (scaled.height - 1) * target.bytesPerRow + scaled.width * 4
        return config
    }

    /// In slices, between which a request to stop is heard: libwebp decodes the rows that the bytes so far hold.
    private func decode(
        _ config: inout WebPDecoderConfig, options: DecodeOptions
    ) throws(CodingError) -> VP8StatusCode {
        // Decoding in slices would not miss a last byte that no pixel needs.
        guard !isCutOff else { return VP8_STATUS_NOT_ENOUGH_DATA }
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return try withUnsafeMutablePointer(to: &config) { config throws(CodingError) in
            guard let decoder = WebPIDecode(nil, 0, config) else { return VP8_STATUS_OUT_OF_MEMORY }
            defer { WebPIDelete(decoder) }
            let slices = max(1, (size.pixelCount ?? 0) / pixelsPerSlice)
            var status = VP8_STATUS_SUSPENDED
            for slice in 1...slices where status == VP8_STATUS_SUSPENDED {
                try options.checkCancellation()
                // The bytes stay where they are, so libwebp looks at them without a copy.
                status = WebPIUpdate(decoder, start, slice == slices ? bytes.count : bytes.count / slices * slice)
            }
            return status
        }
    }

    /// Whether the file is shorter than its RIFF header says; a frame of an animation has no such header.
    private var isCutOff: Bool {
        let file = BoundedBytes(bytes)
        guard file.has("RIFF", at: 0), let size = file.littleEndian32(at: 4) else { return false }
        return size > bytes.count - 8
    }

    /// Small with loss, since a file whose rows are dealt to eight partitions does all its work in the last eighth;
    /// larger without, where every slice starts with a repetition.
    private var pixelsPerSlice: Int { isLossless ? 1 << 19 : 1 << 17 }

    static func check(_ status: VP8StatusCode, _ format: ImageFormat) throws(CodingError) {
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
            throw CodingError(.truncated, "The WebP ends before the picture does.", format: format)
        case VP8_STATUS_OUT_OF_MEMORY:
            throw CodingError(.outOfMemory, "There is no memory to decode the WebP.", format: format)
        case VP8_STATUS_UNSUPPORTED_FEATURE:
            throw CodingError(.unsupportedFeature, "libwebp does not support a feature of this WebP.", format: format)
        default:
            throw CodingError(.malformed, "The WebP is damaged: libwebp says \(status.rawValue).", format: format)
        }
    }
}
#endif
