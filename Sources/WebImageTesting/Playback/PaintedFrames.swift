import Synchronization
public import WebImage

/// An animation without a file: frames of one colour each, and a count of how often they were drawn.
///
/// ```swift
/// let frames = PaintedFrames(count: 12, duration: .milliseconds(40))
/// let player = AnimatedImagePlayer(try frames.animation(), budget: FrameBudget(clock: clock.face))
/// ```
public final class PaintedFrames: FrameSource {
    private struct State {
        var drawn: [Int] = []
        var broken: Set<Int> = []
    }

    public let header: AnimationHeader
    private let state = Mutex(State())
    private let gate: Gate?

    /// - Parameters:
    ///   - count: how many frames.
    ///   - duration: of each.
    ///   - size: of the canvas.
    ///   - loopCount: how often it plays; 0, the default, for ever.
    ///   - isChained: each frame is laid over the one before it, so that none but the first can be drawn alone. Default
    ///     `true`; otherwise each covers all.
    ///   - gate: holds up every frame until it is open. Default none.
    public init(
        count: Int, duration: Duration = .milliseconds(100), size: PixelSize = PixelSize(width: 16, height: 16),
        loopCount: Int = 0, isChained: Bool = true, gate: Gate? = nil
    ) {
        header = AnimationHeader(
            format: .gif, canvas: size, loopCount: loopCount,
            frames: (0..<max(1, count)).map { index in
                let isWhole = index == 0 || !isChained
                let place = PixelRect(x: 0, y: 0, width: size.width, height: isWhole ? size.height : 1)
                return FrameHeader(place: place, delay: duration, hasAlpha: false)
            })
        self.gate = gate
    }

    /// The same frames as an animation of their own.
    ///
    /// - Throws: `CodingError` for a size that no picture may have.
    public func animation(_ options: AnimationOptions = AnimationOptions(keptBytes: 0)) throws -> AnimatedImage {
        try AnimatedImage(self, of: Bytes(), options: options)
    }

    /// Which frames were drawn so far, in order.
    public var drawn: [Int] { state.withLock(\.drawn) }

    /// Which frames cannot be drawn from now on. Default none.
    public var broken: Set<Int> {
        get { state.withLock(\.broken) }
        set { state.withLock { $0.broken = newValue } }
    }

    /// Which frame a bitmap shows.
    public static func index(of bitmap: Bitmap) -> Int {
        bitmap.withUnsafeBytes { Int($0.load(as: UInt32.self) & 0xFF_FFFF) - 1 }
    }

    public func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError) {
        gate?.wait()
        let isBroken = state.withLock { state in
            state.drawn.append(index)
            return state.broken.contains(index)
        }
        if isBroken { throw CodingError(.malformed, "a broken frame") }
        let place = header.frames[index].place
        for row in 0..<place.height {
            let row = canvas.base + row * canvas.bytesPerRow
            for column in 0..<place.width {
                row.storeBytes(of: 0xFF00_0000 | UInt32(index + 1), toByteOffset: column * 4, as: UInt32.self)
            }
        }
    }
}
