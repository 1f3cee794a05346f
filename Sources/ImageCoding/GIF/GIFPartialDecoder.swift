#if GIF
import ByteBuffers
import Pixels

extension GIFDecoder: PartialImageDecoder {
    /// The first picture's rows come as they are, those of an interlaced one pass by pass, each row as high as the gap below
    /// it. Each code is unpacked once, see ``GIFGrowingReader``.
    public func makePartialDecoder(for request: PartialRequest) -> any PartialDecoder {
        EndingDecoder(GIFPartialDecoder(self, request), limits: request.limits)
    }
}

private final class GIFPartialDecoder: FinitePartialDecoder {
    private let decoder: GIFDecoder
    private let request: PartialRequest
    private var fresh = FreshBytes()
    private var picture: GIFPartialPicture?

    init(_ decoder: GIFDecoder, _ request: PartialRequest) {
        self.decoder = decoder
        self.request = request
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress? {
        if picture == nil, fresh.areEnough(at: bytes.count) { picture = try open(bytes) }
        return try picture?.update(bytes)
    }

    /// - Returns: `nil` as long as what stands in front of the pixels is not whole.
    private func open(_ bytes: UnsafeRawBufferPointer) throws -> GIFPartialPicture? {
        let blocks: GIFBlocks
        do { blocks = try GIFBlocks(bytes, noting: 1) } catch  where error.code == .truncated { return nil }
        try request.limits.check(blocks.canvas, format: .gif)
        guard let first = blocks.pictures.first, first.blocks <= bytes.count else { return nil }
        // All of a picture is unpacked even when it stands out of a small canvas.
        if !first.place.isEmpty { try request.limits.check(first.place.size, format: .gif) }
        let info = try decoder.info(of: bytes)
        return try GIFPartialPicture(
            GIFGrowingReader(bytes, firstBlock: first.blocks), info, options: request.options(info),
            into: request.makeSink)
    }
}

/// A first picture whose pixels come.
private final class GIFPartialPicture {
    private let reader: GIFGrowingReader
    private let canvas: GIFCanvas
    private let indices: RawRegion
    private var rows: PartialRows
    /// Of an interlaced picture: the rows of the canvas that have come.
    private let frame: RowRoom?
    private var pass = 0
    /// The next row of the picture in the pass.
    private var row = 0

    init(
        _ reader: GIFGrowingReader, _ info: ImageInfo, options: DecodeOptions,
        into makeSink: @escaping (ImageInfo) throws -> any RowSink
    ) throws {
        self.reader = reader
        let reader = reader.reader
        let size = info.storedSize
        let isCovered = reader.place.clamped(to: size) == PixelRect(size)
        let isOpaque = isCovered && !reader.palette.hasTransparency
        rows = PartialRows(
            info, RowHeader(size: size, format: isOpaque ? .rgbx8 : .rgba8), options: options, into: makeSink)
        frame = reader.isInterlaced ? try RowRoom(size.height, of: size.width, .rgba8) : nil
        if frame == nil { try rows.beginPass() }
        indices = try RegionPool.shared.allocate(byteCount: reader.place.width)
        canvas = GIFCanvas(reader: reader, size: size, indices: indices.base.assumingMemoryBound(to: UInt8.self))
    }

    deinit { RegionPool.shared.release(indices) }

    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress? {
        reader.grow(to: bytes)
        guard let frame else { return try takeRows() }
        let before = pass
        while pass < GIFCanvas.passes.count, try takePass(into: frame.strip) { pass += 1 }
        return pass > before ? try showPass(frame.strip) : nil
    }

    private func takeRows() throws -> PartialProgress? {
        try rows.take(upTo: canvas.size.height) { strip, rows in
            for row in rows {
                guard !canvas.covers(row) || reader.hasRow else { return row - rows.lowerBound }
                try canvas.drawRow(row, at: strip.base + (row - rows.lowerBound) * strip.bytesPerRow)
            }
            return rows.count
        }
        return rows.look()
    }

    /// - Returns: whether all rows of the pass have come.
    private func takePass(into frame: RowStrip) throws -> Bool {
        let place = canvas.reader.place
        if row == 0 { row = GIFCanvas.passes[pass].start }
        while row < place.height {
            guard reader.hasRow else { return false }
            try rows.options.checkCancellation()
            let y = place.y + row
            try canvas.drawNext(at: y < canvas.size.height ? frame.base + y * frame.bytesPerRow : nil)
            row += GIFCanvas.passes[pass].step
        }
        row = 0
        return true
    }

    /// Shows each row in place of those below it that have not come.
    private func showPass(_ frame: RowStrip) throws -> PartialProgress? {
        let place = canvas.reader.place
        let height = [8, 4, 2, 1][pass - 1]
        return try rows.show { strip, rows in
            for y in rows {
                let target = strip.base + (y - rows.lowerBound) * strip.bytesPerRow
                guard canvas.covers(y) else {
                    canvas.clear(target)
                    continue
                }
                let known = place.y + (y - place.y) / height * height
                target.copyMemory(from: frame.base + known * frame.bytesPerRow, byteCount: canvas.size.width * 4)
            }
        }
    }
}
#endif
