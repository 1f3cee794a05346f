#if PNG
public import ByteBuffers
import CPNGShim
public import Pixels

/// Encodes PNG through libpng, without loss: RGB for opaque bitmaps, RGBA for others, with 8 or 16 bits as they have.
///
/// Alpha is stored straight, so colours are divided by it and rounded; at low alpha a bitmap holds fewer colours than
/// the file could. The options' quality is not looked at. EXIF, XMP, and a profile or code points are written as they say.
public struct PNGEncoder: ImageEncoder {
    public init() {}

    public var library: CodecLibrary { CodecLibrary(name: "libpng", version: String(cString: cpng_version())) }

    public var encodableFormats: [ImageFormat] { [.png] }

    /// Measured on 12 MP: a photograph takes 1.6 s and 14.8 MB this way, 6.3 s and 14.4 MB at zlib's own default of 6
    /// with all filters; level 3 saves another 0.3 s but makes flat drawings four times as large.
    private static let level: Int32 = 4
    private static let filter = CPNG_FILTER_FAST
    /// The effort from which each row tries all five filters.
    private static let effortOfAllFilters = 7

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .png else {
            throw CodingError(.unsupportedFormat, "The PNG encoder does not make \(format).", format: format)
        }
        guard bitmap.format.channels == .rgba, bitmap.format.alpha != .straight, bitmap.format.component != .float32
        else {
            throw CodingError(.unsupportedFeature, "PNG is made from RGBA pixels of 8 or 16 bits only.", format: .png)
        }
        guard let writer = cpng_writer_create() else {
            throw CodingError(.outOfMemory, "There is no memory to encode the PNG.", format: .png)
        }
        defer { cpng_writer_destroy(writer) }
        var writing = cpng_writing(
            width: UInt32(clamping: bitmap.width), height: UInt32(clamping: bitmap.height),
            bits: Int32(bitmap.format.component.byteCount * 8), has_alpha: bitmap.format.isOpaque ? 0 : 1,
            is_interlaced: options.isProgressive ? 1 : 0,
            level: options.effort.map { Int32(min($0, 9)) } ?? Self.level,
            filter: (options.effort ?? 0) >= Self.effortOfAllFilters ? CPNG_FILTER_ALL : Self.filter)
        var passes: Int32 = 1
        let status = try PNGMetadataData(options).withPieces { metadata in
            cpng_writer_begin(writer, &writing, &metadata, &passes)
        }
        try Self.check(status, writer)
        for _ in 0..<passes {
            try bitmap.withUnsafeBytes { (pixels) throws(CodingError) in try Self.writeRows(of: bitmap, pixels, writer)
            }
        }

        var memory: UnsafeMutableRawPointer?
        var count = 0
        try Self.check(cpng_writer_finish(writer, &memory, &count), writer)
        return memory.map { Bytes(adopting: $0, count: count) } ?? Bytes()
    }

    public func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool { false }

    private static func writeRows(
        of bitmap: Bitmap, _ pixels: UnsafeRawBufferPointer, _ writer: OpaquePointer
    ) throws(CodingError) {
        guard let base = pixels.baseAddress else { return }
        if bitmap.format.isOpaque {
            for row in 0..<bitmap.height {
                try check(cpng_writer_write_row(writer, base + row * bitmap.bytesPerRow), writer)
            }
            return
        }
        let straight: RawRegion
        do {
            straight = try RegionPool.shared.allocate(byteCount: bitmap.bytesPerRow)
        } catch {
            throw CodingError(.outOfMemory, error.description, format: .png)
        }
        defer { RegionPool.shared.release(straight) }
        for row in 0..<bitmap.height {
            Premultiplication.divide(
                base + row * bitmap.bytesPerRow, into: straight.base, component: bitmap.format.component,
                count: bitmap.width)
            try check(cpng_writer_write_row(writer, straight.base), writer)
        }
    }

    private static func check(_ status: cpng_status, _ writer: OpaquePointer) throws(CodingError) {
        switch status {
        case CPNG_OK: return
        case CPNG_NO_MEMORY:
            throw CodingError(.outOfMemory, "There is no memory to encode the PNG.", format: .png)
        default:
            let message = String(cString: cpng_writer_message(writer))
            throw CodingError(.encodingFailed, "libpng refused the picture: \(message).", format: .png)
        }
    }
}
#endif
