#if JPEGXL
public import ByteBuffers
import CJXL
import Pixels
import Synchronization

extension JXLDecoder: AnimationDecoder {
    public var animatedFormats: [ImageFormat] { [.jpegXL] }

    /// Lists the frames by their headers; a still picture is one frame. A frame that is cut off is left out, except the
    /// first and the last, whose end libjxl only looks for when it is decoded. So are frames that are shown for no time.
    ///
    /// Frames come laid on their canvas by libjxl. It stays where it is between two frames, so that the next one costs one
    /// decode; an earlier one is looked for from the start of the file. Moving there is one call of libjxl: a request to stop
    /// is heard before and after.
    public func frames(of bytes: Bytes, options: AnimationOptions) throws(CodingError) -> any FrameSource {
        let reader = try bytes.withUnsafeBytes { bytes throws(CodingError) in
            try JXLReader(bytes, events: JXL_DEC_FRAME)
        }
        guard reader.isMoving else { return try StillSource(bytes, decoder: self) }
        return try JXLFrames(bytes, Self.header(of: reader, options))
    }

    private static func header(
        of reader: JXLReader, _ options: AnimationOptions
    ) throws(CodingError) -> AnimationHeader {
        let (delays, isComplete) = try delays(of: reader, options)
        let place = PixelRect(reader.size)
        let hasAlpha = reader.hasAlpha
        return AnimationHeader(
            format: .jpegXL, canvas: reader.size, orientation: reader.orientation, loopCount: reader.loopCount,
            frames: delays.map { FrameHeader(place: place, delay: $0, hasAlpha: hasAlpha) }, isComplete: isComplete)
    }

    /// How long each frame is shown, and whether these are all of them.
    private static func delays(
        of reader: JXLReader, _ options: AnimationOptions
    ) throws(CodingError) -> ([Duration], isComplete: Bool) {
        var delays: [Duration] = []
        while true {
            do throws(CodingError) {
                guard let delay = try reader.nextDelay() else { return (delays, true) }
                delays.append(delay)
            } catch {
                // That the frame is cut shows only when the next one is asked for.
                if delays.isEmpty { throw error }
                return (Array(delays[..<max(1, delays.count - 1)]), false)
            }
            if options.isFirstFrameOnly { return (delays, true) }
            try options.limits.check(frames: delays.count, format: .jpegXL)
        }
    }
}

/// The frames of one file, and libjxl where the last one left it.
private final class JXLFrames: FrameSource {
    let header: AnimationHeader
    let isSequential = true
    // The reader reads these.
    private let bytes: Bytes
    private let reader: Mutex<JXLReader>

    init(_ bytes: Bytes, _ header: AnimationHeader) throws(CodingError) {
        let reader = try bytes.withUnsafeBytes { bytes throws(CodingError) in
            try JXLReader(bytes, events: JXL_DEC_FULL_IMAGE)
        }
        self.header = header
        self.bytes = bytes
        self.reader = Mutex(reader)
    }

    func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError) {
        let sink = CanvasSink(canvas, place: PixelRect(header.canvas), in: header.canvas, blending: .replace)
        try CodingError.typed(.jpegXL) {
            try reader.withLock { reader in
                try options.checkCancellation()
                try reader.seek(frame: index)
                try JXLDecoder.deliver(reader, options: options, into: sink)
            }
        }
    }
}
#endif
