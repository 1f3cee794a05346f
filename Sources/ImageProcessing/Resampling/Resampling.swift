import Pixels

/// A resampling under way: takes a picture's rows in any portions and fills the result.
final class Resampling {
    private enum Stage {
        /// Nothing is scaled: the kept part is copied.
        case copy
        case filter(any RowFilter)
        case average(BoxReducer)
    }

    let plan: ResamplingPlan
    private let stage: Stage
    private let result: Bitmap
    private let output: UnsafeMutablePointer<UInt8>
    private var taken = 0

    init(_ plan: ResamplingPlan, format: PixelFormat, kernels: PixelKernels) throws {
        self.plan = plan
        var bitmap = try Bitmap.room(plan.crop.size, format)
        if plan.isIdentity {
            stage = .copy
        } else {
            let filter = try plan.rowFilter(format, kernels: kernels)
            stage =
                plan.factor == (1, 1)
                ? .filter(filter) : .average(try BoxReducer(plan: plan, next: filter, kernels: kernels))
        }
        // The only reference, so this does not copy, and the memory stays while `result` holds it.
        output = try bitmap.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { throw ProcessingError.outOfMemory(byteCount: bytes.count) }
            return base.assumingMemoryBound(to: UInt8.self)
        }
        result = bitmap
    }

    /// How many rows are best handed over at once.
    var preferredRows: Int {
        switch stage {
        case .copy: 16
        case .filter(let filter): max(16, filter.preferredRows)
        case .average(let reducer): reducer.preferredRows
        }
    }

    /// Takes the picture's next rows.
    func take(_ rows: UnsafeRawPointer, bytesPerRow: Int, rowCount: Int) {
        let rows = rows.assumingMemoryBound(to: UInt8.self)
        switch stage {
        case .copy:
            copy(rows, bytesPerRow: bytesPerRow, rowCount: rowCount)
        case .filter(let filter):
            filter.take(
                rows, bytesPerRow: bytesPerRow, rowCount: rowCount, output: output,
                outputBytesPerRow: result.bytesPerRow)
        case .average(let reducer):
            reducer.take(
                rows, bytesPerRow: bytesPerRow, rowCount: rowCount, output: output,
                outputBytesPerRow: result.bytesPerRow)
        }
        taken += rowCount
    }

    var rowsLeft: Int { plan.source.height - taken }

    /// The result's rows that are finished, in its memory; `nil` before the first.
    var finishedRows: Bitmap? {
        let rows =
            switch stage {
            case .copy: min(max(0, taken - plan.crop.y), plan.crop.height)
            case .filter(let filter): filter.finishedRows
            case .average(let reducer): reducer.finishedRows
            }
        return rows > 0 ? result.top(rows: rows) : nil
    }

    /// The result; `nil` before the last row was taken.
    var bitmap: Bitmap? { taken >= plan.source.height ? result : nil }

    private func copy(_ rows: UnsafePointer<UInt8>, bytesPerRow: Int, rowCount: Int) {
        let pixel = result.format.bytesPerPixel
        let kept = (taken..<taken + rowCount).clamped(to: plan.crop.y..<plan.crop.y + plan.crop.height)
        for row in kept {
            (output + (row - plan.crop.y) * result.bytesPerRow).update(
                from: rows + (row - taken) * bytesPerRow + plan.crop.x * pixel, count: plan.crop.width * pixel)
        }
    }
}
