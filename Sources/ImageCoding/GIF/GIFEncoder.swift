#if GIF
public import ByteBuffers
import CGIF
public import Pixels

/// Encodes GIF, still and moving, through giflib, with a palette of its own for each frame.
///
/// A frame of no more than 256 colours keeps them exactly; others get the 256 that fit best. Pixels that are less than half
/// opaque become transparent, others opaque. Of a moving picture only the rectangle that changes is stored, and what
/// stays in it as transparent. The options' quality is not looked at. XMP is written as they say; GIF has no place for EXIF.
public struct GIFEncoder: ImageEncoder {
    /// Mixes neighbouring pixels where colours are missing. Makes smooth slopes look right and files larger.
    public var isDithered: Bool

    /// - Parameter isDithered: default `true`; of no effect where all colours fit.
    public init(isDithered: Bool = true) {
        self.isDithered = isDithered
    }

    public var library: CodecLibrary { GIFDecoder().library }

    public var encodableFormats: [ImageFormat] { [.gif] }

    public func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool { false }

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        try encode(FrameSequence([AnimationFrame(bitmap)], loopCount: 1), as: format, options: options)
    }
}

extension GIFEncoder: AnimationEncoder {
    public var encodableAnimations: [ImageFormat] { [.gif] }

    /// Durations are in hundredths of a second, never below two of them, which browsers would slow down; what is rounded
    /// does not add up.
    public func encode(
        _ frames: FrameSequence, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .gif else {
            throw CodingError(.unsupportedFormat, "The GIF encoder does not make \(format).", format: format)
        }
        try frames.checkCount(format)
        guard frames.size.width <= 0xFFFF, frames.size.height <= 0xFFFF else {
            throw CodingError(.encodingFailed, "A GIF's side may have at most 65535 pixels.", format: .gif)
        }
        return try CodingError.typed(.gif) {
            try GIFWriter.write(size: frames.size, loopCount: frames.count > 1 ? frames.loopCount : 1) { writer in
                if let xmp = options.xmp { try writer.write(xmp: xmp) }
                try write(frames, to: writer)
            }
        }
    }

    private func write(_ frames: FrameSequence, to writer: GIFWriter) throws {
        var clock = GIFClock()
        // What the viewer has before the frame, `nil` for an empty canvas.
        var canvas: Bitmap?
        var next: AnimationFrame? = try frame(0, of: frames)
        for index in 0..<frames.count {
            guard let frame = next else { break }
            next = index + 1 < frames.count ? try self.frame(index + 1, of: frames) : nil
            // A pixel can only become transparent again when its frame is cleared away.
            let isCleared = next.map { GIFPixels.isUncovered(from: frame.bitmap, to: $0.bitmap) } ?? false
            let place =
                if let canvas, !isCleared {
                    FrameDifference.place(from: canvas, to: frame.bitmap)
                } else {
                    PixelRect(frames.size)
                }
            let pixels = try GIFPixels.changes(from: canvas, to: frame.bitmap, in: place)
            try writer.writeFrame(
                pixels, at: place, delay: clock.delay(for: frame.duration), isCleared: isCleared, isDithered: isDithered
            )
            canvas = isCleared ? nil : frame.bitmap
        }
    }

    private func frame(_ index: Int, of frames: FrameSequence) throws -> AnimationFrame {
        var frame = try frames.frame(index, for: .gif)
        frame.bitmap = try GIFPixels.flattened(frame.bitmap)
        return frame
    }
}

/// Turns durations into hundredths of a second whose sum stays right.
private struct GIFClock {
    private var time = Duration.zero
    private var written = 0

    mutating func delay(for duration: Duration) -> Int {
        time += duration
        let due = Int((time / .milliseconds(10)).rounded())
        let delay = min(max(due - written, 2), 0xFFFF)
        written += delay
        return delay
    }
}
#endif
