#if JPEG
public import Pixels

/// Decodes JPEG with libjpeg-turbo: baseline, progressive, arithmetic where the library has it; grey, YCbCr, RGB, CMYK
/// and YCCK; always to ``PixelFormat/rgbx8``.
///
/// - A smaller picture is made by the transform itself, at 1/8, 1/4 or 1/2. At 1/8 and 1/4 a progressive file is decoded
///   from the scans that can be seen at that size, in about a fifth of the time.
/// - The picture is whole or there is an error: data that ends or breaks early is never filled up with grey. A missing
///   end marker after all pixels is forgiven, and so are bytes between segments and odd version numbers.
///   Arithmetic coding cannot tell missing data from zeros, so there the end marker has to be there.
/// - Inks are taken as inverted, as Adobe stores them and browsers read them. They become red, green and blue by the file's
///   profile, or by the plain product with black where there is none.
/// - The parts of an ICC profile are joined; one of which a part is missing is passed over.
/// - Not supported: 12 bits per sample, lossless and hierarchical coding, and a height that comes after the pixels (DNL).
public struct JPEGDecoder: ImageDecoder {
    /// A cancelled decode ends after this many rows at the latest.
    static let rowsPerStep = 64

    /// A picture of any size may have this many scans, within ``DecodeLimits/maxScans``.
    static let scansForAnySize = 32

    /// Scans times pixels that are walked at the most, beyond ``scansForAnySize``.
    static let maxScannedPixels = 1 << 32

    public init() {}

    public var library: CodecLibrary { .jpeg }

    public var decodableFormats: [ImageFormat] { [.jpeg] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let header = try JPEGHeader(bytes)
        return ImageInfo(
            format: .jpeg, storedSize: header.size, orientation: header.applications.orientation(in: bytes),
            hasAlpha: false, isProgressive: header.isProgressive,
            color: header.color(in: bytes), bitsPerComponent: header.bitsPerSample,
            hasGainMap: header.applications.hasGainMap(in: bytes))
    }

    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        try JPEGHeader(bytes).applications.metadata(in: bytes)
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let header = try JPEGHeader(bytes)
        try header.checkSupport()
        try options.limits.check(header.size, format: .jpeg)
        try options.checkCancellation()
        let color = header.color(in: bytes)
        if let thumbnail = try JPEGThumbnail.decode(from: bytes, header, color, options) {
            return try sink.deliver(thumbnail, options: options)
        }
        try decode(bytes, header, color, options: options, into: sink)
    }

    /// Decodes the picture itself.
    ///
    /// - Parameter color: what its colours are.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, _ color: ColorDescription, options: DecodeOptions,
        into sink: any RowSink
    ) throws {
        let scale = DCTScale(covering: options.minimumSize, of: header.size)
        let maxScans = Self.maxScans(for: header.size, options.limits)
        var parts = [0..<bytes.count]
        var isPartial = false
        if header.isProgressive {
            let plan = try ProgressiveScanPlan(bytes, header: header, scale: scale, maxScans: maxScans)
            (parts, isPartial) = (plan.parts, plan.isPartial)
        }
        let decompressor = try JPEGDecompressor(bytes, parts: parts)
        guard try decompressor.readHeader() == header.size else {
            throw CodingError(.malformed, "The JPEG states two different sizes.", format: .jpeg)
        }
        let transform = ColorTransform(from: color, layout: header.layout(for: color), options: options)
        let size = try decompressor.start(
            scale: scale, layout: transform.source, smoothsBlocks: !isPartial, maxScans: maxScans, options: options)
        try Self.deliver(decompressor, transform, size: size, options: options, into: sink)
    }

    private static func deliver(
        _ decompressor: borrowing JPEGDecompressor, _ transform: ColorTransform, size: PixelSize,
        options: DecodeOptions, into sink: any RowSink
    ) throws {
        try sink.begin(RowHeader(size: size, format: transform.format))
        let room = try transform.worksInPlace ? nil : RowRoom(rowsPerStep, of: size.width, transform.source)
        var row = 0
        while row < size.height {
            try options.checkCancellation()
            let strip = try sink.nextStrip()
            let count = min(strip.rowCount, rowsPerStep, size.height - row)
            try decompressor.readRows(count, into: room?.strip ?? strip)
            transform.finish(room?.strip, into: strip, width: size.width, rows: count)
            try sink.commit(rows: count)
            row += count
        }
    }

    /// Each scan walks over the whole picture, so a large picture may have fewer of them.
    static func maxScans(for size: PixelSize, _ limits: DecodeLimits) -> Int {
        let affordable = maxScannedPixels / max(1, size.pixelCount ?? .max)
        return min(limits.maxScans, max(scansForAnySize, affordable))
    }
}
#endif
