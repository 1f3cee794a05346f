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
    func convert(_ bytes: Bytes, size: PixelSize) throws -> Made {
        let whole = wanted(of: size)
        let first = try encode(bytes, in: sizes, whole, quality: options.quality)
        guard let limit = options.maximumBytes, first.bytes.count > limit else { return first }
        // A palette or no loss at all: only a smaller picture is a smaller file.
        let hasQuality = format == .animatedWebP && !options.isLossless
        let lowest = hasQuality ? min(options.quality, EncodeOptions.lowestSearchedQuality) : options.quality
        let better = try search(lowest..<options.quality, limit) {
            try encode(bytes, in: sizes, whole, quality: $0)
        }
        if let better { return better }
        let smaller = try search(1..<max(whole.width, whole.height), limit) { side in
            let box = TargetSize(width: side, height: side)
            return try encode(bytes, in: sizes + [box], box.placement(of: whole).crop.size, quality: lowest)
        }
        guard let smaller else {
            throw CodingError(
                .tooManyBytes, "The picture does not fit into \(limit) bytes as \(format), however small it is made.",
                format: format)
        }
        return smaller
    }

    /// What the highest number makes that fits, to within a sixteenth where there are many. What fits is taken to fit at
    /// every lower number too, which is nearly so.
    private func search(_ numbers: Range<Int>, _ limit: Int, _ make: (Int) throws -> Made) throws -> Made? {
        var (low, high) = (numbers.lowerBound, numbers.upperBound)
        var best: Made?
        while low < high, best == nil || high - low > high / 16 {
            let middle = low + (high - low) / 2
            let made = try make(middle)
            if made.bytes.count <= limit {
                (best, low) = (made, middle + 1)
            } else {
                high = middle
            }
        }
        return best
    }

    private func wanted(of size: PixelSize) -> PixelSize {
        sizes.reduce(size) { $1.placement(of: $0).crop.size }
    }

    private func encode(
        _ bytes: Bytes, in sizes: [TargetSize], _ size: PixelSize, quality: Int
    ) throws -> Made {
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
