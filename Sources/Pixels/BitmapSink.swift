package import ByteBuffers

/// Collects all rows in one bitmap. The decoder writes straight into the bitmap's memory.
public final class BitmapSink: RowSink {
    private let pool: RegionPool
    private var bitmap: Bitmap?
    private var filled = 0

    public init() {
        pool = .shared
    }

    package init(pool: RegionPool) {
        self.pool = pool
    }

    public func begin(_ header: RowHeader) throws {
        bitmap = try Bitmap(uninitialized: header.size, format: header.format, pool: pool)
        filled = 0
    }

    public func nextStrip() throws -> RowStrip {
        guard let stride = bitmap?.bytesPerRow, let height = bitmap?.height, filled < height else {
            preconditionFailure("a strip was asked for before begin or after the last row")
        }
        // The sink holds the only reference until the last row, so this never copies.
        let base = try bitmap?.withUnsafeMutableBytes { $0.baseAddress }
        guard let base else { preconditionFailure("a bitmap has at least one row") }
        return RowStrip(base: base + filled * stride, bytesPerRow: stride, rowCount: height - filled)
    }

    public func commit(rows: Int) throws {
        filled += rows
    }

    /// The finished picture; `nil` before the last row has come. May be called once.
    public func takeBitmap() -> Bitmap? {
        guard let height = bitmap?.height, filled >= height else { return nil }
        defer { bitmap = nil }
        return bitmap
    }
}
