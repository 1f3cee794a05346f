#if WebP
public import ByteBuffers
import CWebP
import Pixels

extension WebPEncoder: AnimationEncoder {
    public var encodableAnimations: [ImageFormat] { [.animatedWebP] }

    /// Encodes through libwebp's animation encoder, which stores only what changes. Durations are in milliseconds.
    /// EXIF, XMP and a profile are written as the options say.
    ///
    /// A single frame becomes a still picture.
    public func encode(
        _ frames: FrameSequence, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .animatedWebP else {
            throw CodingError(.unsupportedFormat, "The WebP encoder does not make moving \(format).", format: format)
        }
        try frames.checkCount(format)
        var settings = WebPAnimEncoderOptions()
        var config = WebPConfig()
        guard WebPAnimEncoderOptionsInit(&settings) != 0, Self.configure(&config, options) else {
            throw CodingError(.encodingFailed, "The libwebp that is loaded does not fit this program.", format: format)
        }
        // The container has 16 bits for it.
        settings.anim_params.loop_count = Int32(min(frames.loopCount, 0xFFFF))
        let (width, height) = (Int32(clamping: frames.size.width), Int32(clamping: frames.size.height))
        guard let encoder = WebPAnimEncoderNew(width, height, &settings) else {
            throw CodingError(.encodingFailed, "libwebp cannot encode \(frames.size) pixels.", format: format)
        }
        defer { WebPAnimEncoderDelete(encoder) }

        var time = Duration.zero
        for index in 0..<frames.count {
            let frame = try frames.frame(index, for: format)
            try Self.add(frame.bitmap, at: time, to: encoder, &config)
            time += frame.duration
        }
        guard WebPAnimEncoderAdd(encoder, nil, Self.milliseconds(time), nil) != 0 else {
            throw Self.failure(encoder)
        }
        var data = WebPData()
        guard WebPAnimEncoderAssemble(encoder, &data) != 0, let memory = data.bytes else {
            WebPDataClear(&data)
            throw Self.failure(encoder)
        }
        // libwebp allocates with malloc, so the memory changes hands as it is.
        return try Self.adding(
            options, to: Bytes(adopting: UnsafeMutableRawPointer(mutating: memory), count: data.size))
    }

    private static func add(
        _ bitmap: Bitmap, at time: Duration, to encoder: OpaquePointer, _ config: inout WebPConfig
    ) throws(CodingError) {
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else {
            throw CodingError(
                .encodingFailed, "The libwebp that is loaded does not fit this program.", format: .animatedWebP)
        }
        defer { WebPPictureFree(&picture) }
        picture.use_argb = 1
        picture.width = Int32(clamping: bitmap.width)
        picture.height = Int32(clamping: bitmap.height)
        try importPixels(of: bitmap, into: &picture)
        guard WebPAnimEncoderAdd(encoder, &picture, milliseconds(time), &config) != 0 else {
            throw picture.error_code == VP8_ENC_OK ? failure(encoder) : error(picture.error_code)
        }
    }

    /// Times are counted from the start, so that what is rounded does not add up.
    private static func milliseconds(_ time: Duration) -> Int32 {
        Int32(clamping: Int64((time / .milliseconds(1)).rounded()))
    }

    private static func failure(_ encoder: OpaquePointer) -> CodingError {
        let message = WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? "no reason given"
        return CodingError(.encodingFailed, "libwebp refused the animation: \(message)", format: .animatedWebP)
    }
}
#endif
