import WebImage

/// Writes moving pictures again, frame by frame: never more than a few frames are held as pixels.
struct MovingConversion: Sendable {
    let format: ImageFormat
    let options: EncodeOptions
    let sizes: [TargetSize]
    let coders: CoderRegistry

    typealias Made = (bytes: Bytes, frameCount: Int)

    /// - Parameter size: the canvas's, as it is seen.
    /// - Throws: `CodingError`, of the frames too.
    func convert(_ bytes: Bytes, size: PixelSize) throws(CodingError) -> Made {
        var reading = AnimationOptions()
        if !sizes.isEmpty {
            let wanted = sizes.reduce(size) { $1.placement(of: $0).crop.size }
            reading.thumbnail = AnimationOptions.Thumbnail(size: wanted) { [sizes] bitmap in
                try sizes.reduce(bitmap) { try $0.resized(to: $1) }
            }
        }
        let animation = try coders.animation(of: bytes, options: reading)
        return (try coders.encode(FrameSequence(animation), as: format, options: options), animation.frameCount)
    }
}
