#if GIF
import ByteBuffers
import CGIF
public import Pixels

/// Decodes the first picture of a GIF through giflib.
///
/// The picture is laid on its canvas: what stands out is cut off, and what it does not cover stays transparent, as in
/// browsers, whatever background colour the file names. Rows are unpacked one by one into the sink's memory, except that
/// an interlaced picture needs the whole frame.
public struct GIFDecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary {
        CodecLibrary(name: "giflib", version: "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)")
    }

    public var decodableFormats: [ImageFormat] { [.gif] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let blocks = try GIFBlocks(bytes, noting: 1)
        let first = blocks.pictures.first
        let isCovered = first.map { $0.place.clamped(to: blocks.canvas) == PixelRect(blocks.canvas) } ?? false
        return ImageInfo(
            format: .gif, storedSize: blocks.canvas, hasAlpha: !isCovered || first?.control.transparentIndex != nil,
            frameCount: blocks.frameCount, isProgressive: first?.isInterlaced ?? false)
    }

    /// XMP alone: the format has no place for EXIF.
    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        let packet = try GIFBlocks(bytes, noting: 0).xmp.map(BoundedBytes(bytes).slice)
        return ImageMetadata(copyingExif: nil, xmp: packet, profile: nil)
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let info = try info(of: bytes)
        try options.limits.check(info.storedSize, format: .gif)
        try GIFReader.withReader(of: bytes) { reader in
            // All of a picture is unpacked even when it stands out of a small canvas.
            if !reader.place.isEmpty { try options.limits.check(reader.place.size, format: .gif) }
            let isCovered = reader.place.clamped(to: info.storedSize) == PixelRect(info.storedSize)
            let isOpaque = isCovered && !reader.palette.hasTransparency
            let header = RowHeader(size: info.storedSize, format: isOpaque ? .rgbx8 : .rgba8)
            let indices = try RegionPool.shared.allocate(byteCount: reader.place.width)
            defer { RegionPool.shared.release(indices) }
            let canvas = GIFCanvas(
                reader: reader, size: info.storedSize, indices: indices.base.assumingMemoryBound(to: UInt8.self))
            if reader.isInterlaced {
                try sink.deliverWhole(header, options: options) { try canvas.drawInterlaced(into: $0, options) }
            } else {
                try sink.deliver(header, options: options) { strip, rows in
                    for row in rows {
                        try canvas.drawRow(row, at: strip.base + (row - rows.lowerBound) * strip.bytesPerRow)
                    }
                }
            }
        }
    }
}

/// Lays the rows of a picture on its canvas.
struct GIFCanvas {
    let reader: GIFReader
    let size: PixelSize
    /// Room for one row of the picture's colour indices.
    let indices: UnsafeMutablePointer<UInt8>

    /// Rows of a picture come in four passes: every 8th, then those half-way between, and so on (GIF89a appendix E).
    static let passes: [(start: Int, step: Int)] = [(0, 8), (4, 8), (2, 4), (1, 2)]

    /// Draws one row of the canvas; takes the picture's rows from top to bottom.
    func drawRow(_ row: Int, at target: UnsafeMutableRawPointer) throws {
        guard covers(row) else { return clear(target) }
        try drawNext(at: target)
    }

    /// Whether the picture has pixels in a row of the canvas.
    func covers(_ row: Int) -> Bool { reader.place.y..<reader.place.y + reader.place.height ~= row }

    /// Takes the picture's next row.
    ///
    /// - Parameter target: `nil` for a row that lies outside of the canvas.
    func drawNext(at target: UnsafeMutableRawPointer?) throws {
        try reader.readRow(into: indices)
        if let target { draw(at: target) }
    }

    func drawInterlaced(into frame: RowStrip, _ options: DecodeOptions) throws {
        frame.fill(width: size.width, rows: size.height)
        for pass in Self.passes {
            for row in stride(from: pass.start, to: reader.place.height, by: pass.step) {
                try options.checkCancellation()
                let y = reader.place.y + row
                try drawNext(at: y < size.height ? frame.base + y * frame.bytesPerRow : nil)
            }
        }
    }

    private func draw(at target: UnsafeMutableRawPointer) {
        let shown = reader.place.clamped(to: size)
        if shown.width < size.width { clear(target) }
        reader.palette.expand(indices, count: shown.width, into: target + shown.x * 4)
    }

    func clear(_ target: UnsafeMutableRawPointer) {
        target.initializeMemory(as: UInt8.self, repeating: 0, count: size.width * 4)
    }
}
#endif
