#if PNG
import CPNGShim
public import Pixels

/// Decodes PNG, and the default picture of APNG, through libpng.
///
/// Palettes, grey and 16-bit pixels become 8-bit RGB; 16-bit values are rounded, not cut. Gamma and colour profiles are
/// left alone, packed text and profiles are never unpacked. Rows go straight into the sink's memory, except that an
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

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let info = try info(of: bytes)
        try options.limits.check(info.storedSize, format: info.format)
        try PNGReader.withReader(of: bytes, limits: options.limits) { reader in
            let size = PixelSize(width: Int(reader.header.width), height: Int(reader.header.height))
            try options.limits.check(size, format: info.format)
            let hasAlpha = reader.header.has_alpha != 0
            let header = RowHeader(size: size, format: hasAlpha ? .rgba8 : .rgbx8)
            if reader.header.is_interlaced != 0 {
                try sink.deliverWhole(header, options: options) { frame in
                    try interlaced(reader, size, options: options, into: frame)
                    if hasAlpha { frame.premultiply(width: size.width, rows: size.height) }
                }
            } else {
                var source = PNGRows(reader, of: bytes, options: options, isFast: isFast)
                try sink.deliver(header, options: options) { strip, rows in
                    try source.read(rows, into: strip)
                    if hasAlpha { strip.premultiply(width: size.width, rows: rows.count) }
                }
            }
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
