public import ByteBuffers
public import Pixels
import Synchronization

/// A moving picture: its encoded bytes, what its headers say, and as many of its frames as are worth holding.
///
/// Any frame may be asked for in any order. Shown one after the other each frame is decoded once; a jump decodes only
/// what the frame is drawn on, from the nearest canvas that is held or frame that stands alone. A still picture is one
/// frame; the pages of a document are frames too, though nothing to play: see ``isMoving``.
///
///     let animation = try CoderRegistry.standard.animation(of: bytes)
///     for index in 0..<animation.frameCount {
///         show(try animation.frame(at: index), for: animation.durations[index])
///     }
///
/// Safe to use from any number of threads. A frame that is held comes at once; otherwise one thread decodes at a time
/// and the others wait, so call it where waiting is allowed.
public final class AnimatedImage: Sendable {
    /// What the headers say; only the first frame when no more was asked for.
    public let header: AnimationHeader
    /// The encoded bytes as they came.
    public let bytes: Bytes

    private let source: any FrameSource
    let options: AnimationOptions
    let composition: Composition
    let held: Mutex<HeldFrames>
    /// Held while frames are drawn.
    private let drawing = Mutex(())

    /// Wraps frames that are drawn by `source`.
    ///
    /// - Throws: ``CodingError`` when the header is against the limits.
    public init(_ source: any FrameSource, of bytes: Bytes, options: AnimationOptions = AnimationOptions())
        throws(CodingError)
    {
        var header = source.header
        if options.isFirstFrameOnly { header.frames.removeSubrange(min(1, header.frames.count)...) }
        try options.limits.check(header)
        self.header = header
        self.bytes = bytes
        self.source = source
        self.options = options
        composition = Composition(header)
        held = Mutex(HeldFrames(header, composition, options, isSequential: source.isSequential))
    }

    public var frameCount: Int { header.frames.count }

    /// There is more than one frame, and they follow one another in time. `false` for the pages of a document.
    public var isMoving: Bool { header.isMoving }

    /// How long each frame is shown.
    public var durations: [Duration] { header.frames.map(\.duration) }

    /// How often the animation plays in all; 0 means for ever.
    public var loopCount: Int { header.loopCount }

    /// The size of the frames that ``frame(at:shouldContinue:)`` gives.
    public var size: PixelSize { options.thumbnail?.size ?? header.size }

    /// No frame has a pixel that is not opaque, as far as the headers tell.
    public var isOpaque: Bool { composition.isOpaque }

    /// The bytes that are held now: the encoded ones and those of all pixels. Frames that callers hold too count here.
    /// What a library keeps for itself between two frames of a video, a few frames as a rule, does not.
    public var memoryCost: Int { bytes.count + held.withLock(\.byteCost) }

    /// How many frames were decoded so far, those that others were drawn on included.
    public var decodedFrameCount: Int { held.withLock(\.ledger.drawnFrames) }

    /// All frames are held, so that none will be decoded any more.
    public var isPreloaded: Bool { held.withLock { $0.isComplete } }

    /// A whole frame, upright.
    ///
    /// - Parameters:
    ///   - index: from 0, below ``frameCount``.
    ///   - shouldContinue: asked again and again while frames are decoded; `false` ends the call with `cancelled`.
    /// - Throws: ``CodingError``: `noSuchFrame`, `cancelled`, `tookTooLong`, or what the decoder throws. Frames that the
    ///   damage does not reach can still be asked for.
    public func frame(
        at index: Int, shouldContinue: @escaping @Sendable () -> Bool = { true }
    ) throws(CodingError) -> Bitmap {
        try frame(at: index, for: .anyone, shouldContinue: shouldContinue)
    }

    /// Decodes all frames and holds them, whatever ``AnimationOptions/keptBytes`` says, until ``unload()``.
    ///
    /// - Throws: ``CodingError`` of the first frame that cannot be decoded; those before it stay held.
    public func preload(shouldContinue: @escaping @Sendable () -> Bool = { true }) throws(CodingError) {
        held.withLock { $0.keepAll(true) }
        for index in header.frames.indices { _ = try frame(at: index, shouldContinue: shouldContinue) }
    }

    /// Lets go of the frames that were held by ``preload(shouldContinue:)`` alone.
    public func unload() {
        held.withLock { $0.keepAll(false) }
    }

    /// Lets go of all pixels; the next frame is decoded from the nearest one that stands alone.
    public func removeAll() {
        held.withLock { $0.removeAll() }
    }

    // MARK: Drawing

    func draw(
        _ index: Int, for viewer: FrameViewer, shouldContinue: @escaping @Sendable () -> Bool
    ) throws(CodingError) -> Bitmap {
        try drawing.withLock { _ throws(CodingError) in
            // Another thread may have drawn it meanwhile.
            if let picture = held.withLock({ $0.picture(index, for: viewer) }) { return picture }
            let options = DecodeOptions(limits: options.limits, shouldContinue: shouldContinue).started()
            let canvas = try canvas(index, for: viewer, options)
            let picture = try finish(canvas)
            held.withLock { $0.add(picture, index, for: viewer) }
            return picture
        }
    }

    /// The composed canvas of a frame, drawn from the nearest one that is held. Only with `drawing` held.
    private func canvas(
        _ index: Int, for viewer: FrameViewer, _ options: DecodeOptions
    ) throws(CodingError) -> Bitmap {
        var canvas: Bitmap?
        let route = held.withLock { held in
            let route = held.ledger.route(to: index)
            // Not returned: a second holder, if only for a moment, would have the canvas copied.
            canvas = route.start.flatMap { held.ledger.take($0, for: index, of: viewer) }
            return route
        }
        for frame in route.frames {
            try options.checkCancellation()
            canvas = try draw(frame, over: canvas.take(), options)
            if let canvas { held.withLock { $0.ledger.add(canvas, frame, for: index, of: viewer) } }
        }
        guard let canvas else { throw CodingError(.malformed, "The frame has no canvas.", format: header.format) }
        held.withLock { $0.ledger.show(index, to: viewer) }
        return canvas
    }

    private func draw(
        _ index: Int, over base: consuming Bitmap?, _ options: DecodeOptions
    ) throws(CodingError) -> Bitmap {
        let step = composition.steps[index]
        let size = header.canvas
        let isBlank = base == nil
        var canvas: Bitmap
        // Taken, so that the canvas has no second holder and is drawn on in place.
        if let taken = base.take() {
            canvas = taken
        } else {
            canvas = try CodingError.typed(header.format) {
                try Bitmap(uninitialized: size, format: composition.isOpaque ? .rgbx8 : .rgba8)
            }
        }
        let stride = canvas.bytesPerRow
        try CodingError.typed(header.format) {
            try canvas.withUnsafeMutableBytes { pixels in
                guard let base = pixels.baseAddress else { return }
                let rows = RowStrip(base: base, bytesPerRow: stride, rowCount: size.height)
                if isBlank {
                    if !step.isWhole { rows.clear(PixelRect(size)) }
                } else if let cleared = step.cleared {
                    rows.clear(cleared)
                }
                try source.draw(index, onto: rows, options: options)
            }
        }
        return canvas
    }

    /// Turns a canvas into what the caller wants to see.
    private func finish(_ canvas: Bitmap) throws(CodingError) -> Bitmap {
        guard options.isFinishing(header) else { return canvas }
        return try CodingError.typed(header.format) {
            let upright = try canvas.oriented(by: header.orientation)
            return try options.thumbnail?.resize(upright) ?? upright
        }
    }
}
