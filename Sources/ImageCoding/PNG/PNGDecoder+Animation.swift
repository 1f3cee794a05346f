#if PNG
public import ByteBuffers
import Pixels

extension PNGDecoder: AnimationDecoder {
    public var animatedFormats: [ImageFormat] { [.apng] }

    /// Finds the frames by their chunks. What is damaged or cut off ends the animation; without a single whole frame
    /// the default picture is the only one (PNG 3rd ed. §4.9).
    public func frames(of bytes: Bytes, options: AnimationOptions) throws(CodingError) -> any FrameSource {
        // One more than allowed shows that there are too many.
        let count = options.isFirstFrameOnly ? 1 : min(max(1, options.limits.maxFrames), .max - 1) + 1
        let chunks = bytes.withUnsafeBytes { APNGChunks($0, noting: count) }
        guard let chunks, !chunks.frames.isEmpty else { return try StillSource(bytes, decoder: self) }
        try options.limits.check(frames: chunks.frames.count, format: .apng)
        return try APNGFrames(bytes, chunks, self)
    }
}

/// The frames of one animated PNG, each decoded as a PNG of its own.
private struct APNGFrames: FrameSource {
    let header: AnimationHeader
    private let chunks: APNGChunks
    private let bytes: Bytes
    private let decoder: PNGDecoder

    init(_ bytes: Bytes, _ chunks: APNGChunks, _ decoder: PNGDecoder) throws(CodingError) {
        let info = try bytes.withUnsafeBytes { bytes throws(CodingError) in try decoder.info(of: bytes) }
        header = AnimationHeader(
            format: .apng, canvas: chunks.canvas, orientation: info.orientation, loopCount: chunks.loopCount,
            frames: chunks.frames.map(\.header), isComplete: chunks.isComplete)
        self.chunks = chunks
        self.bytes = bytes
        self.decoder = decoder
    }

    func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError) {
        let frame = header.frames[index]
        let sink = CanvasSink(canvas, place: frame.place, in: header.canvas, blending: frame.blending)
        try CodingError.typed(.apng) {
            let picture = try picture(index)
            try picture.withUnsafeBytes { try decoder.decode($0, options: options, into: sink) }
        }
    }

    /// A frame as a file of its own: the animation's header with the frame's size, and its pixels in one chunk.
    private func picture(_ index: Int) throws -> Bytes {
        let frame = chunks.frames[index]
        return try bytes.withUnsafeBytes { bytes in
            let file = BoundedBytes(bytes)
            guard frame.chunks.allSatisfy({ APNGChunks.isWhole($0, in: bytes) }) else {
                throw CodingError(.malformed, "The PNG is damaged: a frame's check sum is wrong.", format: .apng)
            }
            let pixels = frame.pixels.map(file.slice)
            var writer = try PNGChunkWriter(
                limit: bytes.count + 128, expected: pixels.reduce(1_024) { $0 + $1.count })
            let size = [frame.header.place.width, frame.header.place.height].flatMap(bigEndian)
            try writer.write(.header, bytes: size + chunks.header[8...])
            for chunk in chunks.shared { try writer.copy(file.slice(chunk)) }
            try writer.write(.pixels, pieces: pixels)
            try writer.write(.end)
            return writer.finish()
        }
    }
}

/// The four bytes of a number that came from four bytes.
private func bigEndian(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
}
#endif
