public import ByteBuffers
public import Pixels

/// A coder that writes moving pictures. A registry finds it among its encoders.
public protocol AnimationEncoder: ImageEncoder {
    /// The formats that ``encode(_:as:options:)-(FrameSequence,_,_)`` makes.
    var encodableAnimations: [ImageFormat] { get }

    /// Encodes the frames one after the other; no more than two of them are held at a time.
    ///
    /// Only what changes from one frame to the next is stored, where the format can say so. Durations are rounded to what
    /// the format can say. The registry sees to ``EncodeOptions/maximumPixelSize`` and ``EncodeOptions/maximumBytes``.
    ///
    /// - Throws: ``CodingError``; `encodingFailed` for frames of different sizes, or whatever a frame throws.
    func encode(
        _ frames: FrameSequence, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes
}

/// A whole picture and how long it is shown.
public struct AnimationFrame: Sendable {
    /// ``PixelFormat/rgba8`` or ``PixelFormat/rgbx8``.
    public var bitmap: Bitmap
    public var duration: Duration

    public init(_ bitmap: Bitmap, duration: Duration = FrameHeader.standardDuration) {
        self.bitmap = bitmap
        self.duration = duration
    }
}

/// Frames to encode, made when they are asked for, in order.
public struct FrameSequence: Sendable {
    /// The size of every frame.
    public let size: PixelSize
    /// At least 1.
    public let count: Int
    /// How often they are played in all; 0 means for ever.
    public let loopCount: Int
    /// No frame has a pixel that is not opaque.
    public let isOpaque: Bool
    private let make: @Sendable (Int) throws -> AnimationFrame

    /// - Parameter frame: makes a frame; called once for each, in order, and once more for each further file that is tried
    ///   to meet ``EncodeOptions/maximumBytes``.
    public init(
        size: PixelSize, count: Int, loopCount: Int = 0, isOpaque: Bool = false,
        frame: @escaping @Sendable (Int) throws -> AnimationFrame
    ) {
        self.size = size
        self.count = max(0, count)
        self.loopCount = max(0, loopCount)
        self.isOpaque = isOpaque
        make = frame
    }

    public init(_ frames: [AnimationFrame], loopCount: Int = 0) {
        self.init(
            size: frames.first?.bitmap.size ?? PixelSize(width: 0, height: 0), count: frames.count,
            loopCount: loopCount, isOpaque: frames.allSatisfy(\.bitmap.format.isOpaque)
        ) { frames[$0] }
    }

    /// The frames of a moving picture, decoded as they are needed.
    public init(_ animation: AnimatedImage) {
        self.init(
            size: animation.size, count: animation.frameCount, loopCount: animation.loopCount,
            isOpaque: animation.isOpaque
        ) { AnimationFrame(try animation.frame(at: $0), duration: animation.durations[$0]) }
    }

    /// The same frames, made smaller when they are asked for.
    func shrunk(to target: PixelSize) -> FrameSequence {
        guard target != size else { return self }
        let (make, size) = (make, size)
        return FrameSequence(size: target, count: count, loopCount: loopCount, isOpaque: isOpaque) { index in
            var frame = try make(index)
            guard frame.bitmap.size == size else { throw Self.misfit(index, frame.bitmap.size, size) }
            frame.bitmap = try frame.bitmap.shrunk(to: target)
            return frame
        }
    }

    private static func misfit(_ index: Int, _ found: PixelSize, _ size: PixelSize) -> CodingError {
        CodingError(.encodingFailed, "Frame \(index) is \(found) pixels and not \(size), as the first.")
    }

    /// A frame that an encoder can take.
    func frame(_ index: Int, for format: ImageFormat) throws(CodingError) -> AnimationFrame {
        var frame = try CodingError.typed(format) { try make(index) }
        // A day is more than any format can say, and no sum of days overflows.
        frame.duration = min(max(frame.duration, .zero), .seconds(86_400))
        guard frame.bitmap.size == size else {
            throw Self.misfit(index, frame.bitmap.size, size)
        }
        guard frame.bitmap.format == .rgbx8 || (frame.bitmap.format == .rgba8 && !isOpaque) else {
            throw CodingError(
                .unsupportedFeature, "Animations are made from 8-bit RGBA pixels only.", format: format)
        }
        return frame
    }

    /// - Throws: ``CodingError`` with `encodingFailed` when there is nothing to encode.
    func checkCount(_ format: ImageFormat) throws(CodingError) {
        guard count > 0, size.isPositive else {
            throw CodingError(.encodingFailed, "There are no frames to encode.", format: format)
        }
    }
}
