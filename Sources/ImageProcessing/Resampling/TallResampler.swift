import CPixelKernels
import Pixels

/// Filters rows to the wanted size: first each along x as it comes, then along y from the rows that are kept.
///
/// For pictures that grow in height: a strip of 2 rows that becomes 4,000 takes part in all of them, and sums of its own
/// width for each would be far more than the result. Kept are the source's rows, in the result's width.
final class TallResampler: RowFilter {
    private let columns: FilterWindows
    private let rows: FilterWindows
    private let kernels: PixelKernels
    private let input: RowConverter
    private let output: RowConverter
    /// A row as it came, as floats.
    private let wide: ScratchBuffer<Pixel>
    /// The needed rows of the source, in the result's width.
    private let kept: ScratchBuffer<Pixel>
    private let sum: ScratchBuffer<Pixel>

    private var nextSource = 0
    private var nextOutput = 0

    let neededColumns: Range<Int>
    let neededRows: Range<Int>
    let preferredRows = 16

    var finishedRows: Int { nextOutput }

    /// What it would take; `Int.max` where it cannot be used.
    static func byteCount(columns: borrowing FilterWindows, rows: borrowing FilterWindows) -> Int {
        // Only the few rows of a window that does not reduce are added in one go.
        guard rows.sourceRange.count <= rows.count else { return .max }
        let (pixels, isTooMuch) = rows.sourceRange.count.multipliedReportingOverflow(by: columns.count)
        let (bytes, overflow) = pixels.multipliedReportingOverflow(by: MemoryLayout<Pixel>.stride)
        return isTooMuch || overflow ? .max : bytes
    }

    init(
        columns: consuming FilterWindows, rows: consuming FilterWindows, format: PixelFormat, kernels: PixelKernels
    ) throws(ProcessingError) {
        neededColumns = columns.sourceRange
        neededRows = rows.sourceRange
        input = RowConverter(format, kernels: kernels)
        output = RowConverter(format, kernels: kernels)
        wide = try ScratchBuffer(count: neededColumns.count)
        let (count, overflow) = neededRows.count.multipliedReportingOverflow(by: columns.count)
        kept = try ScratchBuffer(count: overflow ? -1 : count)
        sum = try ScratchBuffer(count: columns.count)
        self.columns = columns
        self.rows = rows
        self.kernels = kernels
    }

    func take(
        _ source: UnsafePointer<UInt8>, bytesPerRow: Int, rowCount: Int, output: UnsafeMutablePointer<UInt8>,
        outputBytesPerRow: Int
    ) {
        let came = nextSource..<nextSource + rowCount
        nextSource = came.upperBound
        let wanted = came.clamped(to: neededRows)
        let base = source + neededColumns.lowerBound * input.format.bytesPerPixel
        for row in wanted {
            input.load(base + (row - came.lowerBound) * bytesPerRow, into: wide.base, count: neededColumns.count)
            kernels.filter(
                UnsafeRawPointer(wide.base).assumingMemoryBound(to: Float.self),
                into: kept.base + (row - rows.origin) * columns.count, pixelCount: columns.count,
                windows: columns.base, weights: columns.weights)
        }
        let end = wanted.upperBound - rows.origin
        while !wanted.isEmpty, nextOutput < rows.count, rows[nextOutput].start + rows[nextOutput].count <= end {
            store(into: output + nextOutput * outputBytesPerRow)
            nextOutput += 1
        }
    }

    func skip(rows count: Int) {
        nextSource += count
    }

    private func store(into row: UnsafeMutablePointer<UInt8>) {
        let window = rows[nextOutput]
        var target = cpk_row_sum(
            sums: UnsafeMutableRawPointer(sum.base).assumingMemoryBound(to: Float.self),
            weights: rows.weights + window.offset, first_row: 0, row_count: window.count, fresh: 1)
        withUnsafePointer(to: &target) {
            kernels.accumulate(
                kept.base + window.start * columns.count, pixelsPerRow: columns.count,
                into: UnsafeBufferPointer(start: $0, count: 1))
        }
        output.store(sum.base, into: row, count: columns.count)
    }
}
