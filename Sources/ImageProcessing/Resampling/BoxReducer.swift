import Pixels

/// Averages blocks of whole pixels, the cheap first step of a large reduction.
///
/// Rows of a block are summed as they come; a finished block becomes one row of bytes.
final class BoxReducer {
    private let plan: ResamplingPlan
    private let kernels: PixelKernels
    /// The columns of the source that are needed; starts at a block's border.
    private let columns: Range<Int>
    /// The rows of the source that are needed; starts at a block's border.
    private let neededRows: Range<Int>
    private let sums: ScratchBuffer<UInt32>
    private let reduced: ScratchBuffer<UInt8>
    private let reducedStride: Int
    private let next: any RowFilter

    private var nextSource = 0
    /// Rows in the block that is being summed.
    private var summed = 0
    /// Finished rows that the resampler has not got yet.
    private var waiting = 0

    init(plan: ResamplingPlan, next: any RowFilter, kernels: PixelKernels) throws(ProcessingError) {
        let factor = plan.factor
        columns =
            next.neededColumns.lowerBound * factor.x..<min(plan.source.width, next.neededColumns.upperBound * factor.x)
        neededRows =
            next.neededRows.lowerBound * factor.y..<min(plan.source.height, next.neededRows.upperBound * factor.y)
        sums = try ScratchBuffer(count: columns.count * 4)
        reducedStride = plan.reduced.width * 4
        reduced = try ScratchBuffer(count: reducedStride * next.preferredRows)
        self.plan = plan
        self.next = next
        self.kernels = kernels
        next.skip(rows: next.neededRows.lowerBound)
    }

    /// How many rows of the result are stored.
    var finishedRows: Int { next.finishedRows }

    /// How many rows it likes to get at once: whole blocks.
    var preferredRows: Int {
        plan.factor.y >= 32 ? 32 : 32 / plan.factor.y * plan.factor.y
    }

    /// Takes the next rows; the result's rows are stored where they belong.
    func take(
        _ source: UnsafePointer<UInt8>, bytesPerRow: Int, rowCount: Int, output: UnsafeMutablePointer<UInt8>,
        outputBytesPerRow: Int
    ) {
        let came = nextSource..<nextSource + rowCount
        nextSource = came.upperBound
        let wanted = came.clamped(to: neededRows)
        let base = source + columns.lowerBound * 4
        var row = wanted.lowerBound
        while row < wanted.upperBound {
            let count = min(plan.factor.y - summed, wanted.upperBound - row)
            kernels.boxAccumulate(
                base + (row - came.lowerBound) * bytesPerRow, bytesPerRow: bytesPerRow, rowCount: count,
                sampleCount: columns.count * 4, into: sums.base, fresh: summed == 0)
            row += count
            summed += count
            let ends = row == neededRows.upperBound
            if summed == plan.factor.y || ends { finishBlock() }
            if waiting == next.preferredRows || ends {
                next.take(
                    reduced.base, bytesPerRow: reducedStride, rowCount: waiting, output: output,
                    outputBytesPerRow: outputBytesPerRow)
                waiting = 0
            }
        }
    }

    private func finishBlock() {
        let target = reduced.base + waiting * reducedStride + next.neededColumns.lowerBound * 4
        kernels.boxFinish(
            sums.base, into: target, pixelCount: columns.count, factor: plan.factor.x, rowCount: summed)
        summed = 0
        waiting += 1
    }
}
