import CPixelKernels

/// Who runs the inner loops: C that is built for several processors, or plain Swift that says the same in another
/// language and serves where C can't, and as the oracle of the tests.
enum PixelKernels: Hashable, Sendable, CaseIterable {
    case native
    case swift

    /// Rows of sums are padded to a multiple of this many samples.
    static let tile = Int(CPK_TILE)
    /// The most rows that one accumulation takes.
    static let maximumRows = Int(CPK_MAX_ROWS)

    /// Adds weighted rows of bytes to rows of sums.
    func accumulate(
        _ rows: UnsafePointer<UInt8>, bytesPerRow: Int, rowCount: Int, sampleCount: Int,
        into targets: UnsafeBufferPointer<cpk_row_sum>
    ) {
        switch self {
        case .native:
            cpk_accumulate_rows(rows, bytesPerRow, rowCount, sampleCount, targets.baseAddress, targets.count)
        case .swift:
            SwiftKernels.accumulate(rows, bytesPerRow: bytesPerRow, sampleCount: sampleCount, into: targets)
        }
    }

    /// Filters a row of sums along x and stores it as bytes. Each weight is stored four times.
    func filter(
        _ sums: UnsafePointer<Float>, into out: UnsafeMutablePointer<UInt8>, pixelCount: Int,
        windows: UnsafePointer<cpk_window>, weights: UnsafePointer<Float>
    ) {
        switch self {
        case .native: cpk_filter_row(out, pixelCount, sums, windows, weights)
        case .swift: SwiftKernels.filter(sums, into: out, pixelCount: pixelCount, windows: windows, weights: weights)
        }
    }

    /// Adds rows of bytes to a row of sums, which is set first when `fresh`.
    func boxAccumulate(
        _ rows: UnsafePointer<UInt8>, bytesPerRow: Int, rowCount: Int, sampleCount: Int,
        into sums: UnsafeMutablePointer<UInt32>, fresh: Bool
    ) {
        switch self {
        case .native: cpk_box_accumulate(sums, rows, bytesPerRow, rowCount, sampleCount, fresh ? 1 : 0)
        case .swift:
            SwiftKernels.boxAccumulate(
                rows, bytesPerRow: bytesPerRow, rowCount: rowCount, sampleCount: sampleCount, into: sums, fresh: fresh)
        }
    }

    /// Averages groups of `factor` pixels over `rowCount` summed rows; the last group may be short.
    func boxFinish(
        _ sums: UnsafePointer<UInt32>, into out: UnsafeMutablePointer<UInt8>, pixelCount: Int, factor: Int,
        rowCount: Int
    ) {
        switch self {
        case .native: cpk_box_finish(out, sums, pixelCount, factor, rowCount)
        case .swift:
            SwiftKernels.boxFinish(sums, into: out, pixelCount: pixelCount, factor: factor, rowCount: rowCount)
        }
    }
}
