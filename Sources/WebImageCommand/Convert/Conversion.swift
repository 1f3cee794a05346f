import WebImage

/// Makes one picture's bytes into those of another, in memory.
struct Conversion: Sendable {
    let format: ConvertFormat
    /// Its metadata is that of each picture.
    let options: EncodeOptions
    /// Boxes that the picture has to meet, one after the other.
    let sizes: [TargetSize]
    let keepsMetadata: Bool
    let isFirstFrameOnly: Bool
    var coders = CoderRegistry.standard

    struct Converted: Sendable {
        let bytes: Bytes
        let sourceFormat: ImageFormat
        /// How many frames or pages there were.
        let sourceFrameCount: Int?
        /// What the written header says.
        let info: ImageInfo
        let metadata: ImageMetadata
        let frameCount: Int
    }

    /// - Throws: `ImageError` of the stage that failed.
    func convert(_ bytes: Bytes, of source: Source) throws(ImageError) -> Converted {
        var stage = ImageError.Stage.decode
        do {
            let info = try bytes.withUnsafeBytes { try coders.info(of: $0) }
            var options = options
            if keepsMetadata { options.metadata = try bytes.withUnsafeBytes { try coders.metadata(of: $0) } }
            let (made, frameCount): MovingConversion.Made
            if let moving = try movingFormat(for: bytes, info) {
                stage = .encode
                (made, frameCount) = try MovingConversion(
                    format: moving, options: options, sizes: sizes, coders: coders
                ).convert(bytes, size: info.size)
            } else {
                (made, frameCount) = (try still(bytes, options, &stage), 1)
            }
            return try made.withUnsafeBytes { raw in
                Converted(
                    bytes: made, sourceFormat: info.format, sourceFrameCount: info.frameCount,
                    info: try coders.info(of: raw),
                    metadata: try coders.metadata(of: raw), frameCount: frameCount)
            }
        } catch {
            // Frames are decoded while others are encoded.
            let isDamage = (error as? CodingError).map { [.truncated, .malformed].contains($0.code) } ?? false
            throw ImageError(error, stage: isDamage ? .decode : stage, source)
        }
    }

    /// - Returns: `nil` when one frame is all there is, or all that is wanted or can be written.
    private func movingFormat(for bytes: Bytes, _ info: ImageInfo) throws -> ImageFormat? {
        guard let moving = format.moving, !isFirstFrameOnly, coders.animatedFormats.contains(info.format) else {
            return nil
        }
        // Of a document the first page is the picture, however many there are.
        let first = try coders.animation(of: bytes, options: AnimationOptions(isFirstFrameOnly: true))
        return try !first.header.isPaged && coders.animation(of: bytes).isMoving ? moving : nil
    }

    private func still(_ bytes: Bytes, _ options: EncodeOptions, _ stage: inout ImageError.Stage) throws -> Bytes {
        var bitmap = try PictureStage(coders: coders).picture(from: bytes, target: sizes.first).bitmap
        for size in sizes.dropFirst() { bitmap = try bitmap.resized(to: size) }
        stage = .encode
        return try coders.encode(bitmap, as: format.still, options: options)
    }
}
