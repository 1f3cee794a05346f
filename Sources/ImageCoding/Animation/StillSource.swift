import ByteBuffers
import Pixels

/// A picture that does not move, or of which only the first frame can be decoded, as an animation of one frame.
struct StillSource: FrameSource {
    let header: AnimationHeader
    private let decoder: any ImageDecoder
    private let bytes: Bytes

    init(_ bytes: Bytes, decoder: any ImageDecoder) throws(CodingError) {
        let info = try bytes.withUnsafeBytes { bytes throws(CodingError) in try decoder.info(of: bytes) }
        header = AnimationHeader(
            format: info.format, canvas: info.storedSize, orientation: info.orientation,
            frames: [FrameHeader(place: PixelRect(info.storedSize), hasAlpha: info.hasAlpha)],
            isComplete: info.frameCount == 1)
        self.bytes = bytes
        self.decoder = decoder
    }

    func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError) {
        let sink = CanvasSink(canvas, place: PixelRect(header.canvas), in: header.canvas, blending: .replace)
        try CodingError.typed(header.format) {
            try bytes.withUnsafeBytes { try decoder.decode($0, options: options, into: sink) }
        }
    }
}
