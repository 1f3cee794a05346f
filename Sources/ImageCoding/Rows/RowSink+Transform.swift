import ByteBuffers
import Pixels

extension RowSink {
    /// Delivers rows that a library has made already.
    ///
    /// - Parameters:
    ///   - rows: where the first row starts, in the transform's source layout.
    ///   - bytesPerRow: the distance from one row's start to the next one's.
    func deliver(
        _ rows: UnsafeRawPointer, bytesPerRow: Int, size: PixelSize, through transform: ColorTransform,
        options: DecodeOptions
    ) throws {
        try deliver(RowHeader(size: size, format: transform.format), options: options) { strip, range in
            for row in range {
                transform.convert(
                    rows + row * bytesPerRow, into: strip.base + (row - range.lowerBound) * strip.bytesPerRow,
                    count: size.width)
            }
        }
    }

    /// Delivers a picture that a library writes in one go, in the sink's own memory where that can be.
    ///
    /// - Parameters:
    ///   - size: what the library writes.
    ///   - crop: what of it is delivered; all of it by default.
    ///   - fill: writes the whole picture in the transform's source layout.
    func deliverWhole(
        _ size: PixelSize, crop: PixelRect? = nil, through transform: ColorTransform, options: DecodeOptions,
        fill: (_ frame: RowStrip) throws -> Void
    ) throws {
        let crop = crop ?? PixelRect(size)
        if transform.worksInPlace, crop == PixelRect(size) {
            return try deliverWhole(RowHeader(size: size, format: transform.format), options: options) { frame in
                try fill(frame)
                transform.convert(frame, width: size.width, rows: size.height)
            }
        }
        let bytesPerPixel = transform.source.bytesPerPixel
        // The pool refuses a size that cannot be, so an overflow ends there.
        let (bytesPerRow, rowOverflow) = size.width.multipliedReportingOverflow(by: bytesPerPixel)
        let (byteCount, overflow) = bytesPerRow.multipliedReportingOverflow(by: size.height)
        guard !rowOverflow, !overflow else { throw AllocationError(byteCount: .max) }
        let region = try RegionPool.shared.allocate(byteCount: byteCount)
        defer { RegionPool.shared.release(region) }
        try fill(RowStrip(base: region.base, bytesPerRow: bytesPerRow, rowCount: size.height))
        try deliver(
            region.base + crop.y * bytesPerRow + crop.x * bytesPerPixel, bytesPerRow: bytesPerRow, size: crop.size,
            through: transform, options: options)
    }
}
