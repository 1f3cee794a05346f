import ByteBuffers
import Pixels

/// Memory for some rows that are on their way to a sink in another layout.
final class RowRoom {
    /// The most rows that ``RowSink/deliver(_:options:fill:)`` asks for at once.
    static let deliveredRows = 16

    let strip: RowStrip
    private let region: RawRegion

    /// - Throws: ``CodingError`` with `outOfMemory`.
    init(_ rows: Int, of width: Int, _ layout: SampleLayout) throws(CodingError) {
        let (row, overflow) = width.multipliedReportingOverflow(by: layout.bytesPerPixel)
        let (total, overflows) = row.multipliedReportingOverflow(by: rows)
        do {
            region = try RegionPool.shared.allocate(byteCount: overflow || overflows ? .max : total)
        } catch {
            throw CodingError(.outOfMemory, error.description)
        }
        strip = RowStrip(base: region.base, bytesPerRow: row, rowCount: rows)
    }

    deinit { RegionPool.shared.release(region) }
}
