import WebImage

/// Writes moving pictures again, frame by frame: never more than a few frames are held as pixels.
struct MovingConversion: Sendable {
    let format: ImageFormat
    let options: EncodeOptions
    let sizes: [TargetSize]
    let coders: CoderRegistry

    typealias Made = (bytes: Bytes, frameCount: Int)

    /// - Parameter size: the canvas's, as it is seen.
    /// - Throws: `CodingError` with `tooManyBytes` when frames of a single pixel are still too many.
    func convert(_ bytes: Bytes, size: PixelSize) throws(CodingError) -> Made {
        let whole = wanted(of: size)
        guard let limit = options.maximumBytes else {
            return try encode(bytes, in: sizes, whole, quality: options.quality)
        }
        return try ByteBudget(
            limit: limit, format: format,
            // A palette or no loss at all: only a smaller picture is a smaller file.
            hasQuality: format == .animatedWebP && !options.isLossless, quality: options.quality, size: whole
        ).search(count: \.bytes.count) { quality, side throws(CodingError) in
            guard let side else { return try encode(bytes, in: sizes, whole, quality: quality) }
            let box = TargetSize(width: side, height: side)
            return try encode(bytes, in: sizes + [box], box.placement(of: whole).crop.size, quality: quality)
        }
    }

    private func wanted(of size: PixelSize) -> PixelSize {
        sizes.reduce(size) { $1.placement(of: $0).crop.size }
    }

    private func encode(
        _ bytes: Bytes, in sizes: [TargetSize], _ size: PixelSize, quality: Int
    ) throws(CodingError) -> Made {
        var reading = AnimationOptions()
        if !sizes.isEmpty {
            reading.thumbnail = AnimationOptions.Thumbnail(size: size) { bitmap in
                try sizes.reduce(bitmap) { try $0.resized(to: $1) }
            }
        }
        let animation = try coders.animation(of: bytes, options: reading)
        var options = options
        options.quality = quality
        return (
            try coders.encode(FrameSequence(animation), as: format, options: options), animation.frameCount
        )
    }
}
