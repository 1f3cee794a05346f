/// What a decoder says of the rows that it is about to deliver.
public struct RowHeader: Hashable, Sendable {
    public let size: PixelSize
    public let format: PixelFormat

    public init(size: PixelSize, format: PixelFormat) {
        self.size = size
        self.format = format
    }
}

/// Room for some rows of pixels, owned by the sink that lent it.
public struct RowStrip {
    /// Where the first row starts.
    public let base: UnsafeMutableRawPointer
    /// The distance in bytes from one row's start to the next one's.
    public let bytesPerRow: Int
    /// How many rows fit, at least one.
    public let rowCount: Int

    public init(base: UnsafeMutableRawPointer, bytesPerRow: Int, rowCount: Int) {
        self.base = base
        self.bytesPerRow = bytesPerRow
        self.rowCount = rowCount
    }
}

/// Takes a picture's rows from top to bottom while a decoder makes them.
///
/// The sink lends the memory that the decoder writes into. A sink that collects a whole bitmap lends the bitmap's own
/// rows, so nothing is copied; a sink that resamples lends one strip again and again, so the full picture never exists.
///
/// The decoder calls ``begin(_:)`` once, then ``nextStrip()`` and ``commit(rows:)`` in turn until all rows have come.
/// Any of them may throw to stop the decode. A sink serves one decode, on one thread.
public protocol RowSink: AnyObject {
    /// Announces the rows. Called once, before any other call.
    func begin(_ header: RowHeader) throws

    /// Room for the next rows.
    func nextStrip() throws -> RowStrip

    /// The first `rows` rows of the last strip hold pixels now.
    func commit(rows: Int) throws
}
