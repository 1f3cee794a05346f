#if GIF
public import ByteBuffers
import Pixels

extension GIFDecoder: AnimationDecoder {
    public var animatedFormats: [ImageFormat] { [.gif] }

    /// Finds the pictures by the lengths of their blocks. A picture that is cut off is left out, except the first.
    ///
    /// The number of repetitions is counted as browsers do: a file that says 3 plays four times, one that says nothing
    /// plays once.
    public func frames(of bytes: Bytes, options: AnimationOptions) throws(CodingError) -> any FrameSource {
        try GIFFrames(bytes, options)
    }
}

/// The pictures of one GIF, each unpacked by a run of giflib of its own.
private struct GIFFrames: FrameSource {
    let header: AnimationHeader
    private let blocks: GIFBlocks
    private let bytes: Bytes

    init(_ bytes: Bytes, _ options: AnimationOptions) throws(CodingError) {
        // One more than allowed shows that there are too many.
        let count = options.isFirstFrameOnly ? 1 : min(max(1, options.limits.maxFrames), .max - 1) + 1
        let blocks = try bytes.withUnsafeBytes { bytes throws(CodingError) in try GIFBlocks(bytes, noting: count) }
        guard !blocks.pictures.isEmpty else {
            throw blocks.frameCount == 0
                ? CodingError(.malformed, "The GIF has no picture.", format: .gif)
                : CodingError(.truncated, "The GIF ends before its first picture.", format: .gif)
        }
        try options.limits.check(frames: blocks.pictures.count, format: .gif)
        header = AnimationHeader(
            format: .gif, canvas: blocks.canvas, loopCount: Self.loopCount(blocks),
            frames: blocks.pictures.map(Self.frame),
            isComplete: blocks.frameCount != nil || options.isFirstFrameOnly)
        self.blocks = blocks
        self.bytes = bytes
    }

    func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError) {
        let picture = blocks.pictures[index]
        guard !picture.place.clamped(to: blocks.canvas).isEmpty else { return }
        try options.limits.check(picture.place.size, format: .gif)
        try CodingError.typed(.gif) {
            let row = try RegionPool.shared.allocate(byteCount: picture.place.width)
            defer { RegionPool.shared.release(row) }
            let indices = row.base.assumingMemoryBound(to: UInt8.self)
            try bytes.withUnsafeBytes { bytes in
                try GIFReader.withReader(of: picture, in: blocks, bytes) { reader in
                    try draw(reader, indices, onto: canvas, options)
                }
            }
        }
    }

    private func draw(
        _ reader: GIFReader, _ indices: UnsafeMutablePointer<UInt8>, onto canvas: RowStrip, _ options: DecodeOptions
    ) throws {
        let shown = reader.place.clamped(to: blocks.canvas)
        var read = 0
        func readRow(_ row: Int) throws {
            if read % 16 == 0 { try options.checkCancellation() }
            read += 1
            try reader.readRow(into: indices)
            let y = reader.place.y + row
            guard y < blocks.canvas.height else { return }
            reader.palette.overlay(
                indices, count: shown.width, onto: canvas.base + y * canvas.bytesPerRow + shown.x * 4)
        }
        if reader.isInterlaced {
            for pass in GIFCanvas.passes {
                for row in stride(from: pass.start, to: reader.place.height, by: pass.step) { try readRow(row) }
            }
        } else {
            // The rows below the canvas need not be unpacked.
            for row in 0..<shown.height { try readRow(row) }
        }
    }

    private static func frame(_ picture: GIFBlocks.Picture) -> FrameHeader {
        // 3 was meant to restore; some old writers say 4 for it. Numbers that nobody has defined mean: leave it.
        let disposals: [Int: FrameHeader.Disposal] = [2: .clear, 3: .restore, 4: .restore]
        return FrameHeader(
            place: picture.place, delay: .milliseconds(picture.control.delay * 10),
            hasAlpha: picture.control.transparentIndex != nil, blending: .over,
            disposal: disposals[picture.control.disposal] ?? .keep)
    }

    private static func loopCount(_ blocks: GIFBlocks) -> Int {
        guard let repetitions = blocks.repetitions else { return 1 }
        return repetitions == 0 ? 0 : repetitions + 1
    }
}
#endif
