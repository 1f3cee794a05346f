#if PNG
import CPNGShim
import CPNGStream
import Pixels

/// The rows of a picture that is not interlaced, from the quickest reader that can be trusted with them.
///
/// libpng has read the file up to its pixels. From there a plain picture, 8-bit RGB or RGBA, is unpacked by a faster
/// inflate as long as everything is regular. At the first irregularity libpng reads the same rows once more and goes on
/// alone, so what is an error, and which one, is always libpng's word.
struct PNGRows: ~Copyable {
    private let reader: PNGReader
    private let options: DecodeOptions
    private let height: Int
    private var stream: OpaquePointer?

    /// - Parameter isFast: `false` leaves everything to libpng.
    init(_ reader: PNGReader, of bytes: UnsafeRawBufferPointer, options: DecodeOptions, isFast: Bool) {
        self.reader = reader
        self.options = options
        let header = reader.header
        height = Int(header.height)
        guard isFast, header.plain_channels != 0, header.is_interlaced == 0 else { return }
        stream = cpng_stream_create(
            bytes.baseAddress, bytes.count, header.first_pixels, header.width, header.height, header.plain_channels)
    }

    deinit {
        if let stream { cpng_stream_destroy(stream) }
    }

    /// Reads these rows, which must follow those of the last call.
    mutating func read(_ rows: Range<Int>, into strip: RowStrip) throws(CodingError) {
        if let stream {
            let isRead = cpng_stream_read_rows(stream, strip.base, strip.bytesPerRow, UInt32(clamping: rows.count)) != 0
            if isRead && (rows.upperBound < height || cpng_stream_finish(stream) != 0) { return }
            cpng_stream_destroy(stream)
            self.stream = nil
            try skip(rows.lowerBound, over: strip)
        }
        try reader.readRows(into: strip.base, bytesPerRow: strip.bytesPerRow, count: rows.count)
    }

    /// Brings libpng to where the stream was. The rows all land on the strip's first.
    private func skip(_ count: Int, over strip: RowStrip) throws(CodingError) {
        for row in stride(from: 0, to: count, by: 64) {
            try options.checkCancellation()
            try reader.readRows(into: strip.base, bytesPerRow: 0, count: min(64, count - row))
        }
    }
}
#endif
