#if AVIF
public import ByteBuffers
import Pixels
import Synchronization

extension AVIFDecoder: AnimationDecoder {
    public var animatedFormats: [ImageFormat] { [.avif] }

    /// Lists the frames of a sequence; a still picture is one frame. A frame that is cut off is left out, except the first.
    ///
    /// libavif stays where it is between two frames: the next one costs one decode, any other those from the key frame
    /// before it on. It holds a few frames of its own for that. How often the sequence plays is read from the track's edit
    /// list, which libavif itself reads from version 1.0 on; without one it plays for ever, as in browsers.
    public func frames(of bytes: Bytes, options: AnimationOptions) throws(CodingError) -> any FrameSource {
        try AVIFFrames(bytes, options)
    }
}

/// The frames of one file, and libavif where the last one left it.
private final class AVIFFrames: FrameSource {
    let header: AnimationHeader
    let isSequential = true
    // The container reads these.
    private let bytes: Bytes
    private let container: Mutex<AVIFContainer>

    init(_ bytes: Bytes, _ options: AnimationOptions) throws(CodingError) {
        // Valid as long as `bytes`.
        let file = bytes.withUnsafeBytes(\.self)
        let container = try AVIFDecoder.open(file, options.limits)
        header = try Self.header(of: container, file, options)
        self.bytes = bytes
        self.container = Mutex(container)
    }

    private static func header(
        of container: borrowing AVIFContainer, _ bytes: UnsafeRawBufferPointer, _ options: AnimationOptions
    ) throws(CodingError) -> AnimationHeader {
        let count = options.isFirstFrameOnly ? 1 : container.frameCount
        try options.limits.check(frames: count, format: .avif)
        let size = container.crop.size
        let hasAlpha = container.hasAlpha
        let whole = container.wholeFrames(atMost: count, fileLength: bytes.count)
        // A still picture has no track.
        let track = container.frameCount > 1 ? AVIFTrack(bytes) : nil
        let delays = track?.delays(whole) ?? Array(repeating: .zero, count: whole)
        return AnimationHeader(
            format: .avif, canvas: size, orientation: container.orientation, loopCount: track?.loopCount ?? 0,
            frames: delays.map { FrameHeader(place: PixelRect(size), delay: $0, hasAlpha: hasAlpha) },
            isComplete: whole == count)
    }

    func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError) {
        let sink = CanvasSink(canvas, place: PixelRect(header.canvas), in: header.canvas, blending: .replace)
        try CodingError.typed(.avif) {
            try container.withLock { container in
                try AVIFDecoder.deliver(index, of: container, options: options, into: sink)
            }
        }
    }
}
#endif
