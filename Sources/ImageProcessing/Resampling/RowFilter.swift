import Pixels

/// Brings rows of one size to another, in portions of any height.
protocol RowFilter: AnyObject {
    /// Columns and rows of the source that the result depends on.
    var neededColumns: Range<Int> { get }
    var neededRows: Range<Int> { get }

    /// How many rows of the result are stored.
    var finishedRows: Int { get }

    /// How many rows it likes to get at once.
    var preferredRows: Int { get }

    /// Takes the next rows, and stores every output row that they complete.
    ///
    /// - Parameters:
    ///   - source: the first row's column 0.
    ///   - output: the result's first row; rows are stored where they belong.
    func take(
        _ source: UnsafePointer<UInt8>, bytesPerRow: Int, rowCount: Int, output: UnsafeMutablePointer<UInt8>,
        outputBytesPerRow: Int)

    /// Goes on as if rows that nobody needs had come.
    func skip(rows count: Int)
}

extension ResamplingPlan {
    /// Below so many bytes, rows of sums are no matter.
    static let smallSums = 16 << 20

    /// The filter that needs less memory: the one that is faster as a rule, unless a picture grows so much in height that most
    /// of the result is open at once.
    ///
    /// - Parameter smallSums: how many bytes of sums are taken without a second thought.
    func rowFilter(
        _ format: PixelFormat, kernels: PixelKernels, smallSums: Int = Self.smallSums
    ) throws(ProcessingError) -> any RowFilter {
        let columns = try columns()
        let rows = try rows()
        let sums = RowResampler.byteCount(columns: columns, rows: rows)
        if sums > smallSums, TallResampler.byteCount(columns: columns, rows: rows) < sums {
            return try TallResampler(columns: columns, rows: rows, format: format, kernels: kernels)
        }
        return try RowResampler(columns: columns, rows: rows, from: format, to: format, kernels: kernels)
    }
}
