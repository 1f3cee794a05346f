#if PNG
import CPNGShim
public import Pixels

/// Decodes PNG, and the default picture of APNG, through libpng.
///
/// Palettes and grey become RGB, 16-bit pixels 8-bit ones unless they are to be kept; values are rounded, not cut. Colours
/// are those of `cICP`, else of `iCCP`, else `sRGB`, else `gAMA` with `cHRM` (PNG 3rd ed. §4.3). Rows go straight into the sink's memory, except that an
/// interlaced picture needs a whole frame. A bad check sum of a chunk that the pixels need is an error; a file whose
/// pixels are complete but whose end chunk is missing is none.
public struct PNGDecoder: ImageDecoder {
    /// `false` leaves everything to libpng, the reference that the faster reader is compared with.
    private let isFast: Bool

    public init() {
        isFast = true
    }

    package init(isFast: Bool) {
        self.isFast = isFast
    }

    public var library: CodecLibrary { CodecLibrary(name: "libpng", version: String(cString: cpng_version())) }

    public var decodableFormats: [ImageFormat] { [.png, .apng] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        try PNGHeader(bytes).info
    }

    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        try PNGHeader(bytes).metadata.all
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let stated = try PNGHeader(bytes)
        let info = stated.info
        try options.limits.check(info.storedSize, format: info.format)
        try PNGReader.withReader(of: bytes, layout: stated.layout(options), limits: options.limits) { reader in
            let size = PixelSize(width: Int(reader.header.width), height: Int(reader.header.height))
            try options.limits.check(size, format: info.format)
            let transform = ColorTransform(
                from: info.color, layout: stated.layout(options, hasAlpha: reader.header.has_alpha != 0),
                options: options)
            if reader.header.is_interlaced != 0 {
                try decodeInterlaced(reader, size, transform, options: options, into: sink)
            } else {
                try decodeRows(
                    PNGRows(reader, of: bytes, options: options, isFast: isFast), size, transform, options: options,
                    into: sink)
            }
        }
    }

    private func decodeRows(
        _ source: consuming PNGRows, _ size: PixelSize, _ transform: ColorTransform, options: DecodeOptions,
        into sink: any RowSink
    ) throws {
        var source = source
        let room = try transform.worksInPlace ? nil : RowRoom(RowRoom.deliveredRows, of: size.width, transform.source)
        try sink.deliver(RowHeader(size: size, format: transform.format), options: options) { strip, rows in
            try source.read(rows, into: room?.strip ?? strip)
            transform.finish(room?.strip, into: strip, width: size.width, rows: rows.count)
        }
    }

    private func decodeInterlaced(
        _ reader: PNGReader, _ size: PixelSize, _ transform: ColorTransform, options: DecodeOptions,
        into sink: any RowSink
    ) throws {
        let room = try transform.worksInPlace ? nil : RowRoom(size.height, of: size.width, transform.source)
        try sink.deliverWhole(RowHeader(size: size, format: transform.format), options: options) { frame in
            try interlaced(reader, size, options: options, into: room?.strip ?? frame)
            transform.finish(room?.strip, into: frame, width: size.width, rows: size.height)
        }
    }

    /// Each of the seven passes writes its pixels into the same frame (PNG 3rd ed. §8.1).
    private func interlaced(
        _ reader: PNGReader, _ size: PixelSize, options: DecodeOptions, into frame: RowStrip
    ) throws {
        for _ in 0..<7 {
            for row in stride(from: 0, to: size.height, by: 64) {
                try options.checkCancellation()
                try reader.readRows(
                    into: frame.base + row * frame.bytesPerRow, bytesPerRow: frame.bytesPerRow,
                    count: min(64, size.height - row))
            }
        }
    }
}
#endif
