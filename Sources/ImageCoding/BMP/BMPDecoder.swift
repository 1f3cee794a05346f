import ByteBuffers
public import Pixels

/// Decodes BMP: every header since OS/2's first, 1 to 32 bits, masks, runs of 4 and 8 bits, rows in either order.
///
/// Alpha is read where a mask names it. A profile inside the file is applied.
public struct BMPDecoder: ImageDecoder {
    /// Where the bitmap's own header starts.
    private static let headerStart = 14

    public init() {}

    public var library: CodecLibrary { CodecLibrary(name: "swift-web-image", version: "1") }

    public var decodableFormats: [ImageFormat] { [.bmp] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let (bitmap, header) = try header(of: bytes)
        return ImageInfo(
            format: .bmp, storedSize: header.size, hasAlpha: header.hasAlpha, color: color(header, bitmap),
            bitsPerComponent: header.bits == 16 ? 5 : 8)
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let (bitmap, header) = try header(of: bytes)
        try options.limits.check(header.size, format: .bmp)
        let start = (BoundedBytes(bytes).littleEndian32(at: 10) ?? 0) - Self.headerStart
        let rows = try BMPRows(header, bitmap, pixelStart: start, format: .bmp)
        let transform = ColorTransform(
            from: color(header, bitmap), layout: header.hasAlpha ? .rgba8 : .rgbx8, options: options)
        let rowHeader = RowHeader(size: header.size, format: transform.format)
        let width = header.size.width
        guard header.compression == .runs8 || header.compression == .runs4 else {
            return try sink.deliver(rowHeader, options: options) { strip, range in
                for row in range {
                    let target = strip.base + (row - range.lowerBound) * strip.bytesPerRow
                    rows.unpack(row, into: target)
                    transform.convert(target, into: target, count: width)
                }
            }
        }
        let count = width * header.size.height
        let region = try RegionPool.shared.allocate(byteCount: count)
        defer { RegionPool.shared.release(region) }
        let indices = UnsafeMutableBufferPointer(
            start: region.base.initializeMemory(as: UInt8.self, repeating: 0, count: count), count: count)
        try rows.unpackRuns(into: indices)
        try sink.deliver(rowHeader, options: options) { strip, range in
            for row in range {
                let target = strip.base + (row - range.lowerBound) * strip.bytesPerRow
                for x in 0..<width { rows.color(Int(indices[row * width + x]), at: target + x * 4) }
                transform.convert(target, into: target, count: width)
            }
        }
    }

    private func header(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> (BoundedBytes, BMPHeader) {
        guard BoundedBytes(bytes).has("BM", at: 0) else {
            throw CodingError(.malformed, "The bytes are no BMP.", format: .bmp)
        }
        let bitmap = BoundedBytes(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Self.headerStart)))
        return (bitmap, try BMPHeader(bitmap, format: .bmp))
    }

    private func color(_ header: BMPHeader, _ bitmap: BoundedBytes) -> ColorDescription {
        header.profile.map { ColorDescription(profile: bitmap.slice($0)) } ?? .unspecified
    }
}
