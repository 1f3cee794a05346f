#if JPEGXL
import CJXL
import Pixels

/// A first frame whose header is known, and what was shown of it.
final class JXLPartialPicture {
    private let reader: JXLReader
    private let transform: ColorTransform
    private var frame: JXLFrame
    private var rows: PartialRows
    /// How often all of it was shown before it was final.
    private var flushes = 0

    init(
        _ reader: JXLReader, _ info: ImageInfo, options: DecodeOptions,
        into makeSink: @escaping (ImageInfo) throws -> any RowSink
    ) throws {
        self.reader = reader
        transform = JXLDecoder.transform(reader, options)
        frame = try JXLFrame(reader.size, transform.source)
        rows = PartialRows(
            info, RowHeader(size: reader.size, format: transform.format), options: options, into: makeSink)
    }

    func checkCancellation() throws { try rows.options.checkCancellation() }

    /// Lets libjxl write into the frame.
    func lendFrame() throws(CodingError) {
        var format = JXLReader.rows(of: transform.source.component)
        guard
            JxlDecoderSetImageOutBuffer(reader.decoder, &format, frame.strip.base, frame.byteCount) == JXL_DEC_SUCCESS
        else { throw JXLReader.damaged }
    }

    /// Shows the rows from the top that are final.
    func takeRows() throws -> PartialProgress? {
        frame.countRows()
        return try takeRows(upTo: frame.row)
    }

    /// Shows all of it as well as it is known, if that is worth it.
    func flush() throws -> PartialProgress? {
        guard flushes == 0 || (flushes == 1 && frame.isMostlyFinal),
            frame.flush({ JxlDecoderFlushImage(reader.decoder) == JXL_DEC_SUCCESS })
        else { return nil }
        flushes += 1
        defer { frame.markSamples() }
        return try rows.show(convert)
    }

    /// Shows what was missing: all of it is final.
    func finish() throws -> PartialProgress? {
        try flushes == 0 ? takeRows(upTo: rows.header.size.height) : rows.show(convert)
    }

    private func takeRows(upTo end: Int) throws -> PartialProgress? {
        if end > 0, rows.pass == 0 { try rows.beginPass() }
        try rows.take(upTo: end) { strip, rows in
            convert(strip, rows)
            return rows.count
        }
        return rows.look()
    }

    private func convert(_ strip: RowStrip, _ rows: Range<Int>) {
        let made = frame.strip
        let source = RowStrip(
            base: made.base + rows.lowerBound * made.bytesPerRow, bytesPerRow: made.bytesPerRow, rowCount: rows.count)
        transform.convert(source, into: strip, width: reader.size.width, rows: rows.count)
    }
}
#endif
