public import Pixels

/// Decodes the pictures of Windows' icons and cursors.
///
/// The largest picture is delivered, or the smallest that covers the options' minimum size. Embedded PNG needs the PNG
/// decoder. A bitmap's mask makes pixels transparent where the bitmap itself has no alpha. A cursor's hot spot is left out.
public struct ICODecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary { BMPDecoder().library }

    public var decodableFormats: [ImageFormat] { [.ico, .cur] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let icon = try IconDirectory(bytes)
        return ImageInfo(
            format: icon.format, storedSize: icon.best(covering: nil)?.size ?? PixelSize(width: 0, height: 0),
            hasAlpha: true, frameCount: icon.entries.count)
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let icon = try IconDirectory(bytes)
        guard let entry = icon.best(covering: options.minimumSize) else {
            throw CodingError(.malformed, "The icon has no picture.", format: icon.format)
        }
        try options.limits.check(entry.size, format: icon.format)
        guard entry.isPNG else { return try decode(entry, icon.format, options: options, into: sink) }
        #if PNG
        try PNGDecoder().decode(entry.bytes.bytes, options: options, into: sink)
        #else
        throw CodingError(
            .unsupportedFeature, "The icon holds a PNG.\(MissingLibrary.sentence(for: .png))", format: icon.format)
        #endif
    }

    private func decode(
        _ entry: IconDirectory.Entry, _ format: ImageFormat, options: DecodeOptions, into sink: any RowSink
    ) throws {
        let header = try BMPHeader(entry.bytes, isIcon: true, format: format)
        guard header.compression == .none || header.compression == .masks else {
            throw CodingError(.unsupportedFeature, "An icon with runs is not supported.", format: format)
        }
        let rows = try BMPRows(header, entry.bytes, pixelStart: header.end, format: format)
        try sink.deliverWhole(RowHeader(size: header.size, format: .rgba8), options: options) { frame in
            var hasAlpha = false
            for row in 0..<header.size.height {
                let target = frame.base + row * frame.bytesPerRow
                rows.unpack(row, into: target)
                guard header.hasAlpha, !hasAlpha else { continue }
                for x in 0..<header.size.width where !hasAlpha {
                    hasAlpha = target.load(fromByteOffset: x * 4 + 3, as: UInt8.self) != 0
                }
            }
            if !hasAlpha { Self.apply(rows.behindRows, to: frame, header) }
            frame.premultiply(width: header.size.width, rows: header.size.height)
        }
    }

    /// A one in the mask is a transparent pixel; a mask that ends early makes none.
    private static func apply(_ mask: UnsafeRawBufferPointer, to frame: RowStrip, _ header: BMPHeader) {
        let bytesPerRow = (header.size.width + 31) / 32 * 4
        for row in 0..<header.size.height {
            let line = (header.isTopDown ? row : header.size.height - 1 - row) * bytesPerRow
            for x in 0..<header.size.width {
                let offset = line + x / 8
                let isClear = offset < mask.count && mask[offset] >> UInt8(7 - x % 8) & 1 == 1
                let alpha: UInt8 = isClear ? 0 : 255
                frame.base.storeBytes(of: alpha, toByteOffset: row * frame.bytesPerRow + x * 4 + 3, as: UInt8.self)
            }
        }
    }
}
