package import ByteBuffers

/// Collects all rows in one bitmap. The decoder writes straight into the bitmap's memory.
public final class BitmapSink: RowSink {
    private let pool: RegionPool
    private var bitmap: Bitmap?
    /// The bitmap's memory. Only the sink writes, and never to rows that it has given out in a snapshot.
    private var base: UnsafeMutableRawPointer?
    private var filled = 0

    public init() {
        pool = .shared
    }

    package init(pool: RegionPool) {
        self.pool = pool
    }

    public func begin(_ header: RowHeader) throws {
        var bitmap = try Bitmap(uninitialized: header.size, format: header.format, pool: pool)
        // The only reference, so this does not copy.
        base = try bitmap.withUnsafeMutableBytes { $0.baseAddress }
        self.bitmap = bitmap
        filled = 0
    }

    public func nextStrip() throws -> RowStrip {
        guard let stride = bitmap?.bytesPerRow, let height = bitmap?.height, filled < height else {
            preconditionFailure("a strip was asked for before begin or after the last row")
        }
        guard let base else { preconditionFailure("a bitmap has at least one row") }
        return RowStrip(base: base + filled * stride, bytesPerRow: stride, rowCount: height - filled)
    }

    public func commit(rows: Int) throws {
        filled += rows
    }

    /// The rows that have come so far, as a bitmap of their own that shares their memory; `nil` before the first. The sink
    /// goes on below them.
    public func snapshot() -> Bitmap? {
        filled > 0 ? bitmap?.top(rows: filled) : nil
    }

    /// The finished picture; `nil` before the last row has come. May be called once.
    public func takeBitmap() -> Bitmap? {
        guard let height = bitmap?.height, filled >= height else { return nil }
        defer { bitmap = nil }
        return bitmap
    }
}
