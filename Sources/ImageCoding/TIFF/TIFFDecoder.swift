#if TIFF
import ByteBuffers
import CTIFFShim
public import Pixels

/// Decodes the pages of a TIFF through libtiff; smaller copies of a page and masks are none.
///
/// Grey, RGB and CMYK samples of 8 and 16 bits and floats are streamed row by row, or by rows of tiles. All else
/// (palettes, 1 to 7 bits, YCbCr, CIE L\*a\*b\*, separate planes) goes through libtiff's own conversion to 8-bit RGBA. The
/// orientation is reported, not applied.
public struct TIFFDecoder: ImageDecoder {
    /// Where the count of pages ends, since each has to be visited.
    private static let pageLimit: UInt32 = 10_000

    public init() {}

    public var library: CodecLibrary {
        // "LIBTIFF, Version 4.5.0" and a copyright on further lines.
        let line = String(cString: ctiff_version()).prefix { !$0.isNewline }
        return CodecLibrary(name: "libtiff", version: line.split(separator: " ").last.map(String.init) ?? "")
    }

    public var decodableFormats: [ImageFormat] { [.tiff] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let page = try TIFFPage(bytes, largestAllocation: 64 << 20)
        var info = ImageInfo(
            format: .tiff, storedSize: page.size, orientation: page.orientation, hasAlpha: page.hasAlpha,
            color: page.color, bitsPerComponent: Int(page.header.bits))
        info.frameCount = Int(ctiff_count_pages(page.file, Self.pageLimit))
        return info
    }

    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        _ = try TIFFPage(bytes, largestAllocation: 64 << 20)
        return TIFFMetadata.read(from: bytes)
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        try decode(TIFFPage(bytes, largestAllocation: Self.allocation(options.limits)), options: options, into: sink)
    }

    /// A strip may be the whole picture, with four samples of 16 bits.
    static func allocation(_ limits: DecodeLimits) -> Int {
        let (bytes, overflow) = limits.maxPixels.multipliedReportingOverflow(by: 8)
        return max(1 << 20, overflow ? .max : bytes)
    }

    func decode(_ page: borrowing TIFFPage, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(page.size, format: .tiff)
        guard let layout = page.layout else { return try convert(page, options: options, into: sink) }
        let transform = ColorTransform(from: page.color, layout: layout, options: options)
        if page.header.tile_width > 0 {
            try readTiles(page, through: transform, options: options, into: sink)
        } else {
            try readStrips(page, through: transform, options: options, into: sink)
        }
    }

    private func readStrips(
        _ page: borrowing TIFFPage, through transform: ColorTransform, options: DecodeOptions, into sink: any RowSink
    ) throws {
        let needed = page.size.width * transform.source.bytesPerPixel
        let length = ctiff_row_length(page.file)
        guard length >= needed else {
            throw CodingError(.malformed, "The TIFF's rows are too short for its width.", format: .tiff)
        }
        // A whole strip is unpacked faster than its rows one by one.
        let stripRows = Self.rowsAtOnce(page, length)
        let samples = try RegionPool.shared.allocate(byteCount: length * stripRows)
        defer { RegionPool.shared.release(samples) }
        try sink.deliver(RowHeader(size: page.size, format: transform.format), options: options) { strip, rows in
            for row in rows {
                let place = row % stripRows
                if stripRows == 1 {
                    try page.check(ctiff_read_row(page.file, UInt32(row), samples.base))
                } else if place == 0 {
                    let count = min(stripRows, page.size.height - row)
                    try page.check(ctiff_read_strip(page.file, UInt32(row), samples.base, count * length))
                }
                let line = samples.base + place * length
                Self.straighten(line, of: page, transform.source)
                transform.convert(
                    line, into: strip.base + (row - rows.lowerBound) * strip.bytesPerRow, count: page.size.width)
            }
        }
    }

    /// How many rows a strip has, where one fits into a small buffer; otherwise 1.
    private static func rowsAtOnce(_ page: borrowing TIFFPage, _ rowLength: Int) -> Int {
        var rows: UInt32 = 0
        let length = ctiff_strip_length(page.file, &rows)
        return length <= 1 << 20 && length.isMultiple(of: rowLength) && length / rowLength == Int(rows) ? Int(rows) : 1
    }

    private func readTiles(
        _ page: borrowing TIFFPage, through transform: ColorTransform, options: DecodeOptions, into sink: any RowSink
    ) throws {
        let bytesPerPixel = transform.source.bytesPerPixel
        let tile = PixelSize(width: Int(page.header.tile_width), height: Int(page.header.tile_height))
        try options.limits.check(tile, format: .tiff)
        let tileRow = tile.width * bytesPerPixel
        guard ctiff_tile_length(page.file) == tileRow * tile.height else {
            throw CodingError(.malformed, "The TIFF's tiles contradict its header.", format: .tiff)
        }
        let across = (page.size.width + tile.width - 1) / tile.width
        let bandRow = page.size.width * bytesPerPixel
        let one = try RegionPool.shared.allocate(byteCount: tileRow * tile.height)
        defer { RegionPool.shared.release(one) }
        let band = try RegionPool.shared.allocate(byteCount: bandRow * tile.height)
        defer { RegionPool.shared.release(band) }
        try sink.deliver(RowHeader(size: page.size, format: transform.format), options: options) { strip, rows in
            for row in rows {
                if row % tile.height == 0 {
                    for column in 0..<across {
                        let x = column * tile.width
                        try page.check(
                            ctiff_read_tile(page.file, UInt32(x), UInt32(row), one.base, tileRow * tile.height))
                        let count = min(tile.width, page.size.width - x) * bytesPerPixel
                        for line in 0..<tile.height {
                            (band.base + line * bandRow + x * bytesPerPixel)
                                .copyMemory(from: one.base + line * tileRow, byteCount: count)
                        }
                    }
                }
                let samples = band.base + row % tile.height * bandRow
                Self.straighten(samples, of: page, transform.source)
                transform.convert(
                    samples, into: strip.base + (row - rows.lowerBound) * strip.bytesPerRow, count: page.size.width)
            }
        }
    }

    /// Turns a negative, and divides colours by the alpha that they were multiplied by.
    private static func straighten(
        _ samples: UnsafeMutableRawPointer, of page: borrowing TIFFPage, _ layout: SampleLayout
    ) {
        if page.isPremultiplied, layout.channels == .rgba {
            Premultiplication.divide(
                samples, into: samples, component: layout.component, count: page.size.width)
        }
        guard page.isInverted else { return }
        for offset in 0..<page.size.width * layout.bytesPerPixel {
            let byte = samples.load(fromByteOffset: offset, as: UInt8.self)
            samples.storeBytes(of: ~byte, toByteOffset: offset, as: UInt8.self)
        }
    }

    /// By libtiff's own conversion, which multiplies by alpha.
    private func convert(_ page: borrowing TIFFPage, options: DecodeOptions, into sink: any RowSink) throws {
        // 8-bit RGB at the most, so a profile of inks does not fit.
        let layout = page.hasAlpha ? SampleLayout.rgba8 : .rgbx8
        let transform = ColorTransform(from: page.color, layout: layout, options: options)
        let size = page.size
        let region = try RegionPool.shared.allocate(byteCount: size.width * size.height * 4)
        defer { RegionPool.shared.release(region) }
        try page.check(
            ctiff_read_rgba(page.file, page.header.width, page.header.height, region.base))
        try options.checkCancellation()
        if page.hasAlpha {
            Premultiplication.divide(region.base, into: region.base, count: size.width * size.height)
        }
        try sink.deliver(region.base, bytesPerRow: size.width * 4, size: size, through: transform, options: options)
    }
}
#endif
