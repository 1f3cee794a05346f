import ByteBuffers
import Pixels

extension RowSink {
    /// Delivers rows as they are made, few at a time, so that they are still in the processor's cache for what follows.
    ///
    /// - Parameter fill: writes the given rows of the picture; the strip has room for at least as many.
    func deliver(
        _ header: RowHeader, options: DecodeOptions, fill: (_ strip: RowStrip, _ rows: Range<Int>) throws -> Void
    ) throws {
        try begin(header)
        var next = 0
        while next < header.size.height {
            try options.checkCancellation()
            let strip = try nextStrip()
            let rows = next..<min(next + min(strip.rowCount, RowRoom.deliveredRows), header.size.height)
            try fill(strip, rows)
            try commit(rows: rows.count)
            next = rows.upperBound
        }
    }

    /// Delivers a picture whose rows do not come from top to bottom.
    ///
    /// It is made in the sink's own memory when the sink lends room for all of it, else in a bitmap from the pool that
    /// is copied out strip by strip.
    ///
    /// - Parameter fill: writes the whole picture.
    func deliverWhole(
        _ header: RowHeader, options: DecodeOptions, fill: (_ frame: RowStrip) throws -> Void
    ) throws {
        let height = header.size.height
        try begin(header)
        let strip = try nextStrip()
        if strip.rowCount >= height {
            try fill(strip)
            return try commit(rows: height)
        }
        var frame = try Bitmap(uninitialized: header.size, format: header.format)
        let bytesPerRow = frame.bytesPerRow
        try frame.withUnsafeMutableBytes { pixels in
            guard let base = pixels.baseAddress else { return }
            try fill(RowStrip(base: base, bytesPerRow: bytesPerRow, rowCount: height))
        }
        try frame.withUnsafeBytes { pixels in
            guard let base = pixels.baseAddress else { return }
            try copy(base, bytesPerRow: bytesPerRow, header, options: options, into: strip)
        }
    }

    /// Delivers a picture that was decoded elsewhere.
    func deliver(_ bitmap: Bitmap, options: DecodeOptions) throws {
        try bitmap.withUnsafeBytes { pixels in
            guard let base = pixels.baseAddress else { return }
            let header = RowHeader(size: bitmap.size, format: bitmap.format)
            try begin(header)
            try copy(base, bytesPerRow: bitmap.bytesPerRow, header, options: options, into: nextStrip())
        }
    }

    private func copy(
        _ pixels: UnsafeRawPointer, bytesPerRow: Int, _ header: RowHeader, options: DecodeOptions,
        into first: RowStrip
    ) throws {
        var strip = first
        var next = 0
        while true {
            try options.checkCancellation()
            let rows = min(strip.rowCount, header.size.height - next)
            for row in 0..<rows {
                (strip.base + row * strip.bytesPerRow).copyMemory(
                    from: pixels + (next + row) * bytesPerRow,
                    byteCount: header.size.width * header.format.bytesPerPixel)
            }
            try commit(rows: rows)
            next += rows
            guard next < header.size.height else { return }
            strip = try nextStrip()
        }
    }
}
