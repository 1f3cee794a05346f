import CPixelKernels
import Pixels

/// Filters rows to the wanted size: first along y into rows of sums, then each finished row along x into pixels.
///
/// Every source row is added to all output rows that it takes part in and may be forgotten then, so the memory depends
/// on the filter's reach in output rows and never on the source's height. The sums of a sample are always added row by
/// row, so the result does not depend on how many rows come at once.
final class RowResampler: RowFilter {
    private let columns: FilterWindows
    private let rows: FilterWindows
    private let kernels: PixelKernels
    private let pixelBytes: Int
    /// Nil while rows are bytes of four channels, which the kernels read and write themselves.
    private let floats: FloatRows?
    /// A ring of rows of sums; output row `n` uses row `n % slots`.
    private let sums: ScratchBuffer<Float>
    private let slots: Int
    private let samplesPerSlot: Int
    private let targets: ScratchBuffer<cpk_row_sum>
    /// How many rows are added in one go.
    private let piece: Int

    private var nextSource = 0
    private var nextOutput = 0

    let neededColumns: Range<Int>
    let neededRows: Range<Int>

    var finishedRows: Int { nextOutput }

    var preferredRows: Int { piece }

    /// What its rows of sums would take.
    static func byteCount(columns: borrowing FilterWindows, rows: borrowing FilterWindows) -> Int {
        let (samples, overflow) = samplesPerSlot(columns).multipliedReportingOverflow(
            by: rows.openWindows(piece: piece(of: rows)) * MemoryLayout<Float>.stride)
        return overflow ? .max : samples
    }

    /// Longer pieces touch each row of sums less often, shorter ones keep fewer of them open.
    private static func piece(of rows: borrowing FilterWindows) -> Int {
        let advance = max(1, rows.sourceRange.count / rows.count)
        return min(PixelKernels.maximumRows, advance > 8 ? 32 : advance * 4)
    }

    private static func samplesPerSlot(_ columns: borrowing FilterWindows) -> Int {
        let tile = PixelKernels.tile
        return (columns.sourceRange.count * 4 + tile - 1) / tile * tile
    }

    /// - Parameters:
    ///   - input: the format of the rows that come.
    ///   - output: the format of the rows that are made.
    init(
        columns: consuming FilterWindows, rows: consuming FilterWindows, from input: PixelFormat,
        to output: PixelFormat, kernels: PixelKernels
    ) throws(ProcessingError) {
        neededColumns = columns.sourceRange
        neededRows = rows.sourceRange
        piece = Self.piece(of: rows)
        slots = rows.openWindows(piece: piece)
        samplesPerSlot = Self.samplesPerSlot(columns)
        let (samples, overflow) = samplesPerSlot.multipliedReportingOverflow(by: slots)
        guard !overflow else { throw .outOfMemory(byteCount: .max) }
        sums = try ScratchBuffer(count: samples)
        targets = try ScratchBuffer(count: slots)
        pixelBytes = input.bytesPerPixel
        let isBytes = input == output && (input == .rgba8 || input == .rgbx8)
        floats =
            isBytes
            ? nil
            : try FloatRows(
                input: RowConverter(input, kernels: kernels), output: RowConverter(output, kernels: kernels),
                width: neededColumns.count, rowCount: piece, resultWidth: columns.count)
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
        let base = source + neededColumns.lowerBound * pixelBytes
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
        let sums = UnsafeBufferPointer(start: targets.base, count: open)
        if let floats {
            floats.load(source, bytesPerRow: bytesPerRow, rowCount: piece.count)
            kernels.accumulate(floats.rows.base, pixelsPerRow: floats.width, into: sums)
        } else {
            kernels.accumulate(
                source, bytesPerRow: bytesPerRow, rowCount: piece.count, sampleCount: neededColumns.count * 4,
                into: sums)
        }
    }

    private func store(into output: UnsafeMutablePointer<UInt8>) {
        let row = sums.base + nextOutput % slots * samplesPerSlot
        if let floats {
            kernels.filter(
                row, into: floats.line.base, pixelCount: columns.count, windows: columns.base,
                weights: columns.weights)
            floats.output.store(floats.line.base, into: output, count: columns.count)
        } else {
            kernels.filter(
                row, into: output, pixelCount: columns.count, windows: columns.base, weights: columns.weights)
        }
    }
}

/// Rows of any format as floats, on their way in and out.
private final class FloatRows {
    let output: RowConverter
    let width: Int
    let rows: ScratchBuffer<Pixel>
    let line: ScratchBuffer<Pixel>
    private let input: RowConverter

    init(
        input: RowConverter, output: RowConverter, width: Int, rowCount: Int, resultWidth: Int
    ) throws(ProcessingError) {
        self.input = input
        self.output = output
        self.width = width
        let (count, overflow) = width.multipliedReportingOverflow(by: rowCount)
        rows = try ScratchBuffer(count: overflow ? -1 : count)
        line = try ScratchBuffer(count: resultWidth)
    }

    func load(_ source: UnsafeRawPointer, bytesPerRow: Int, rowCount: Int) {
        for row in 0..<rowCount {
            input.load(source + row * bytesPerRow, into: rows.base + row * width, count: width)
        }
    }
}
