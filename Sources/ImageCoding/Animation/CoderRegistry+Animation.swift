public import ByteBuffers

extension CoderRegistry {
    /// The formats whose frames, or pages, can be decoded, each once, in the order of the coders.
    public var animatedFormats: [ImageFormat] {
        var seen: Set<ImageFormat> = []
        return decoders.compactMap { $0 as? any AnimationDecoder }.flatMap(\.animatedFormats)
            .filter { seen.insert($0).inserted }
    }

    /// Opens a moving picture; its frames are decoded when they are asked for.
    ///
    /// A picture that does not move, a format of whose frames only the first can be decoded, and a file whose animation is
    /// damaged before its first frame ends but whose default picture is not, become one frame.
    ///
    /// - Throws: ``CodingError`` of the first coder that was tried; `empty`, `notAnImage` or `unsupportedFormat` when
    ///   there is none to try; `tooManyFrames`, `tooManyPixels`, `sideTooLong` or `tooManyBytes` for one of the limits.
    public func animation(
        of bytes: Bytes, options: AnimationOptions = AnimationOptions()
    ) throws(CodingError) -> AnimatedImage {
        try options.limits.check(inputBytes: bytes.count)
        let format = bytes.withUnsafeBytes { ImageFormat(sniffing: $0) }
        let candidates = try bytes.withUnsafeBytes { bytes throws(CodingError) in try decoders(for: bytes) }
        var first: CodingError?
        for decoder in candidates {
            do throws(CodingError) {
                let source = try frames(of: bytes, format, decoder, options)
                return try AnimatedImage(source, of: bytes, options: options)
            } catch {
                if error.isFinal { throw first ?? error }
                first = first ?? error
            }
        }
        throw first ?? CodingError(.unsupportedFormat, "There is no decoder for this picture.", format: format)
    }

    /// The formats that moving pictures can be written in, each once, in the order of the coders.
    public var encodableAnimations: [ImageFormat] {
        var seen: Set<ImageFormat> = []
        return encoders.compactMap { $0 as? any AnimationEncoder }.flatMap(\.encodableAnimations)
            .filter { seen.insert($0).inserted }
    }

    /// Encodes frames with the first encoder for the format; when it fails the next one gets its turn.
    ///
    /// The options' largest size and largest number of bytes hold for every format. For the latter the frames are asked
    /// for again with each file that is tried.
    ///
    /// - Throws: ``CodingError`` of the first encoder that was asked; `unsupportedFormat` when there is none;
    ///   `tooManyBytes` when even frames of a single pixel take more than ``EncodeOptions/maximumBytes``.
    public func encode(
        _ frames: FrameSequence, as format: ImageFormat, options: EncodeOptions = EncodeOptions()
    ) throws(CodingError) -> Bytes {
        var first: CodingError?
        for case let encoder as any AnimationEncoder in encoders where encoder.encodableAnimations.contains(format) {
            do throws(CodingError) {
                return try options.search(
                    options.fitted(frames.size), format,
                    hasQuality: encoder.usesQuality(for: format, options: options)
                ) { size, options throws(CodingError) in
                    try encoder.encode(frames.shrunk(to: size), as: format, options: options)
                }
            } catch {
                first = first ?? error
            }
        }
        throw first ?? CodingError(.unsupportedFormat, "There is no encoder for moving \(format).", format: format)
    }

    private func frames(
        of bytes: Bytes, _ format: ImageFormat, _ decoder: any ImageDecoder, _ options: AnimationOptions
    ) throws(CodingError) -> any FrameSource {
        guard let animated = decoder as? any AnimationDecoder, animated.animatedFormats.contains(format) else {
            return try StillSource(bytes, decoder: decoder)
        }
        return try animated.frames(of: bytes, options: options)
    }
}
