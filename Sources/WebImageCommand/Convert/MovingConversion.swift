import WebImage

/// Writes moving pictures again, frame by frame: never more than a few frames are held as pixels.
struct MovingConversion: Sendable {
    let format: ImageFormat
    let options: EncodeOptions
    let sizes: [TargetSize]
    let coders: CoderRegistry

    /// - Parameter size: the canvas's, as it is seen.
    func convert(_ bytes: Bytes, size: PixelSize) throws -> (bytes: Bytes, frameCount: Int) {
        guard let limit = options.maximumBytes else {
            return try encode(bytes, in: sizes, wanted(of: size), quality: options.quality)
        }
        var found = (bytes: Bytes(), frameCount: 0)
        for quality in qualities {
            found = try encode(bytes, in: sizes, wanted(of: size), quality: quality)
            if found.bytes.count <= limit { return found }
        }
        return try shrunk(bytes, from: wanted(of: size), after: found.bytes.count, to: limit)
    }

    /// The one that is asked for, and coarse steps down where a lower one makes a smaller file.
    private var qualities: [Int] {
        guard format == .animatedWebP, !options.isLossless else { return [options.quality] }
        let steps = stride(from: options.quality, to: EncodeOptions.lowestSearchedQuality, by: -15)
        return Array(steps) + [min(options.quality, EncodeOptions.lowestSearchedQuality)]
    }

    /// Smaller frames until the file fits. Every attempt is guessed from the one before: bytes go with the area.
    ///
    /// - Throws: `CodingError` with `tooManyBytes` when frames of a single pixel are still too many.
    private func shrunk(
        _ bytes: Bytes, from whole: PixelSize, after count: Int, to limit: Int
    ) throws -> (bytes: Bytes, frameCount: Int) {
        var (scale, count) = (1.0, count)
        var size = whole
        while size != PixelSize(width: 1, height: 1) {
            scale *= min(0.9, (Double(limit) / Double(count)).squareRoot())
            let box = TargetSize(
                width: max(1, Int(Double(whole.width) * scale)), height: max(1, Int(Double(whole.height) * scale)))
            size = box.placement(of: whole).scaled
            let found = try encode(bytes, in: sizes + [box], size, quality: qualities.last ?? options.quality)
            if found.bytes.count <= limit { return found }
            count = found.bytes.count
        }
        throw CodingError(
            .tooManyBytes, "The picture does not fit into \(limit) bytes as \(format), however small it is made.",
            format: format)
    }

    private func wanted(of size: PixelSize) -> PixelSize {
        sizes.reduce(size) { $1.placement(of: $0).crop.size }
    }

    private func encode(
        _ bytes: Bytes, in sizes: [TargetSize], _ size: PixelSize, quality: Int
    ) throws -> (bytes: Bytes, frameCount: Int) {
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
