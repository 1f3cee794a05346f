import CPixelKernels

/// Filters rows to the wanted size: first along y into rows of sums, then each finished row along x into bytes.
///
/// Every source row is added to all output rows that it takes part in and may be forgotten then, so the memory depends
/// on the filter's reach in output rows and never on the source's height. The sums of a sample are always added row by
/// row, so the result does not depend on how many rows come at once.
final class RowResampler {
    private let columns: FilterWindows
    private let rows: FilterWindows
    private let kernels: PixelKernels
    /// A ring of rows of sums; output row `n` uses row `n % slots`.
    private let sums: ScratchBuffer<Float>
    private let slots: Int
    private let samplesPerSlot: Int
    private let targets: ScratchBuffer<cpk_row_sum>
    /// How many rows are added in one go.
    private let piece: Int

    private var nextSource = 0
    private var nextOutput = 0

    /// Columns and rows of the source that the result depends on.
    let neededColumns: Range<Int>
    let neededRows: Range<Int>

    /// How many rows of the result are stored.
    var finishedRows: Int { nextOutput }

    /// How many rows it likes to get at once.
    var preferredRows: Int { piece }

    init(columns: consuming FilterWindows, rows: consuming FilterWindows, kernels: PixelKernels) throws(ProcessingError)
    {
        neededColumns = columns.sourceRange
        neededRows = rows.sourceRange
        // Longer pieces touch each row of sums less often, shorter ones keep fewer of them open.
        let advance = max(1, neededRows.count / rows.count)
        piece = min(PixelKernels.maximumRows, advance > 8 ? 32 : advance * 4)
        slots = rows.openWindows(piece: piece)

        let tile = PixelKernels.tile
        samplesPerSlot = (neededColumns.count * 4 + tile - 1) / tile * tile
        let (samples, overflow) = samplesPerSlot.multipliedReportingOverflow(by: slots)
        guard !overflow else { throw .outOfMemory(byteCount: .max) }
        sums = try ScratchBuffer(count: samples)
        targets = try ScratchBuffer(count: slots)
        self.columns = columns
        self.rows = rows
        self.kernels = kernels
    }

    /// Takes the next rows, and stores every output row that they complete.
    ///
    /// - Parameters:
    ///   - source: the first row's column 0.
    ///   - output: the result's first row; rows are stored where they belong.
    func take(
        _ source: UnsafePointer<UInt8>, bytesPerRow: Int, rowCount: Int, output: UnsafeMutablePointer<UInt8>,
        outputBytesPerRow: Int
    ) {
        let came = nextSource..<nextSource + rowCount
        nextSource = came.upperBound
        let wanted = came.clamped(to: neededRows)
        let base = source + neededColumns.lowerBound * 4
        var row = wanted.lowerBound
        while row < wanted.upperBound {
            let end = min(row + piece, wanted.upperBound)
            let first = base + (row - came.lowerBound) * bytesPerRow
            add(first, bytesPerRow: bytesPerRow, rows: row - rows.origin..<end - rows.origin)
            row = end
            while nextOutput < rows.count, rows[nextOutput].start + rows[nextOutput].count <= end - rows.origin {
                store(into: output + nextOutput * outputBytesPerRow)
                nextOutput += 1
            }
        }
    }

    /// Goes on as if rows that nobody needs had come.
    func skip(rows count: Int) {
        nextSource += count
    }

    /// - Parameter piece: which rows come, counted from the first needed one.
    private func add(_ source: UnsafePointer<UInt8>, bytesPerRow: Int, rows piece: Range<Int>) {
        var open = 0
        for output in nextOutput..<rows.count {
            let window = rows[output]
            guard window.start < piece.upperBound else { break }
            let used = (window.start..<window.start + window.count).clamped(to: piece)
            targets.base[open] = cpk_row_sum(
                sums: sums.base + output % slots * samplesPerSlot,
                weights: rows.weights + window.offset + (used.lowerBound - window.start),
                first_row: used.lowerBound - piece.lowerBound, row_count: used.count,
                fresh: window.start >= piece.lowerBound ? 1 : 0)
            open += 1
        }
        kernels.accumulate(
            source, bytesPerRow: bytesPerRow, rowCount: piece.count, sampleCount: neededColumns.count * 4,
            into: UnsafeBufferPointer(start: targets.base, count: open))
    }

    private func store(into output: UnsafeMutablePointer<UInt8>) {
        let row = sums.base + nextOutput % slots * samplesPerSlot
        kernels.filter(
            row, into: output, pixelCount: columns.count, windows: columns.base, weights: columns.weights)
    }
}
