public import Pixels

/// What the headers of a moving picture, or of a document with pages, say; read without decoding any pixel.
public struct AnimationHeader: Hashable, Sendable {
    public var format: ImageFormat
    /// The size of the canvas that all frames are laid on, before ``orientation`` is applied.
    public var canvas: PixelSize
    public var orientation: Orientation
    /// How often the animation plays in all; 0 means for ever.
    public var loopCount: Int
    /// In the order in which they are shown; at least one.
    public var frames: [FrameHeader]
    /// The frames are pages of a document, or pictures that share a file: they do not follow one another in time. Their
    /// durations and ``loopCount`` mean nothing. `false` for a still picture of a format without pages.
    public var isPaged: Bool
    /// `false` when the bytes end or go wrong behind the last of ``frames``: what is there can be shown.
    public var isComplete: Bool

    public init(
        format: ImageFormat, canvas: PixelSize, orientation: Orientation = .up, loopCount: Int = 0,
        frames: [FrameHeader], isPaged: Bool = false, isComplete: Bool = true
    ) {
        self.format = format
        self.canvas = canvas
        self.orientation = orientation
        self.loopCount = loopCount
        self.frames = frames
        self.isPaged = isPaged
        self.isComplete = isComplete
    }

    /// There is more than one frame, and they follow one another in time: something to play, not to turn over.
    public var isMoving: Bool { frames.count > 1 && !isPaged }

    /// The canvas as it is seen, with ``orientation`` applied.
    public var size: PixelSize { orientation.applied(to: canvas) }

    /// The largest size of the canvas's shape in which all frames together take at most `byteLimit` bytes as RGBA, rows
    /// without padding; never larger than ``size``, and no side below 1.
    public func size(within byteLimit: Int) -> PixelSize {
        size.within(byteLimit: byteLimit / max(1, frames.count))
    }
}

/// One frame of a moving picture: where it lies, how long it stays, and what becomes of it.
public struct FrameHeader: Hashable, Sendable {
    /// What a frame's transparent pixels do to the canvas.
    public enum Blending: Hashable, Sendable {
        /// The frame takes the place of what was there, transparency included.
        case replace
        /// The frame is laid over what was there.
        case over
    }

    /// What becomes of a frame's place before the next frame is drawn.
    public enum Disposal: Hashable, Sendable {
        /// The frame stays.
        case keep
        /// Its place becomes transparent.
        case clear
        /// The canvas becomes what it was before the frame was drawn.
        case restore
    }

    /// Where the frame lies on the canvas. What stands out is not drawn; a frame without pixels draws nothing.
    public var place: PixelRect
    /// How long the frame is shown, after the rule of ``init(place:delay:hasAlpha:blending:disposal:)``.
    public var duration: Duration
    /// The frame may have pixels that are not opaque.
    public var hasAlpha: Bool
    public var blending: Blending
    public var disposal: Disposal

    /// What browsers show instead of a delay that is missing or too short.
    public static let standardDuration = Duration.milliseconds(100)
    /// The shortest delay that is taken at its word.
    public static let shortestDuration = Duration.milliseconds(11)

    /// - Parameter delay: as the file says it. Below ``shortestDuration`` it becomes ``standardDuration``, as in browsers:
    ///   many files say zero and mean "as usual".
    public init(
        place: PixelRect, delay: Duration = .zero, hasAlpha: Bool, blending: Blending = .replace,
        disposal: Disposal = .keep
    ) {
        self.place = place
        self.hasAlpha = hasAlpha
        self.blending = blending
        self.disposal = disposal
        duration = delay < Self.shortestDuration ? Self.standardDuration : delay
    }
}
