public import Pixels

/// Scales a picture while it is decoded, so that the full picture never exists.
///
/// It lends one strip of rows again and again. Beside the strip and the result it holds a few rows of sums, as many as
/// the filter reaches over in the result; none of this depends on the incoming picture's height. When nothing is scaled
/// or cut, the decoder writes straight into the result.
///
/// Works on every pixel format, and keeps it, in the stored values: colours are not made linear. `rgba8` and `rgbx8` are
/// fastest: their large reductions average whole blocks of pixels first and filter the rest of the way. Other formats are
/// filtered as floats.
public final class ResamplingSink: RowSink {
    private enum State {
        case waiting
        /// The result's own rows are lent.
        case collecting(BitmapSink)
        case resampling(Resampling, Strip)
    }

    /// The rows that are lent again and again.
    private final class Strip {
        let memory: ScratchBuffer<UInt8>
        let bytesPerRow: Int
        let rowCount: Int

        init(bytesPerRow: Int, rowCount: Int) throws(ProcessingError) {
            self.bytesPerRow = bytesPerRow
            self.rowCount = rowCount
            let (byteCount, overflow) = bytesPerRow.multipliedReportingOverflow(by: rowCount)
            memory = try ScratchBuffer(count: overflow ? -1 : byteCount)
        }
    }

    private let scaled: PixelSize
    private let crop: PixelRect?
    private let filter: ResampleFilter
    private let gap: Double?
    private let kernels: PixelKernels
    private var state = State.waiting

    /// - Parameters:
    ///   - scaled: the size that the whole incoming picture is scaled to; it may be larger.
    ///   - crop: the part of `scaled` that is kept, all of it by default.
    ///   - filter: how new pixels are made of old ones.
    public convenience init(scaledTo scaled: PixelSize, crop: PixelRect? = nil, filter: ResampleFilter = .lanczos3) {
        self.init(scaledTo: scaled, crop: crop, filter: filter, gap: ResamplingPlan.defaultGap, kernels: .native)
    }

    /// - Parameter gap: how much reduction averaging leaves to the filter; `nil` switches averaging off.
    init(scaledTo scaled: PixelSize, crop: PixelRect?, filter: ResampleFilter, gap: Double?, kernels: PixelKernels) {
        self.scaled = scaled
        self.crop = crop
        self.filter = filter
        self.gap = gap
        self.kernels = kernels
    }

    /// - Throws: ``ProcessingError`` when a size is not positive, the crop is empty or reaches outside `scaled`, or there
    ///   is no memory.
    public func begin(_ header: RowHeader) throws {
        let plan = try ResamplingPlan(
            source: header.size, format: header.format, scaled: scaled, crop: crop, filter: filter, gap: gap)
        if plan.isIdentity, plan.isWhole {
            let sink = BitmapSink()
            try sink.begin(header)
            state = .collecting(sink)
        } else {
            let resampling = try Resampling(plan, format: header.format, kernels: kernels)
            let strip = try Strip(
                bytesPerRow: plan.source.width * header.format.bytesPerPixel,
                rowCount: min(plan.source.height, resampling.preferredRows))
            state = .resampling(resampling, strip)
        }
    }

    public func nextStrip() throws -> RowStrip {
        switch state {
        case .collecting(let sink): return try sink.nextStrip()
        case .resampling(let resampling, let strip):
            precondition(resampling.rowsLeft > 0, "a strip was asked for after the last row")
            return RowStrip(
                base: UnsafeMutableRawPointer(strip.memory.base), bytesPerRow: strip.bytesPerRow,
                rowCount: min(strip.rowCount, resampling.rowsLeft))
        case .waiting: preconditionFailure("a strip was asked for before begin")
        }
    }

    public func commit(rows: Int) throws {
        switch state {
        case .collecting(let sink): try sink.commit(rows: rows)
        case .resampling(let resampling, let strip):
            precondition(
                rows >= 0 && rows <= min(strip.rowCount, resampling.rowsLeft), "\(rows) rows were not lent")
            resampling.take(strip.memory.base, bytesPerRow: strip.bytesPerRow, rowCount: rows)
        case .waiting: preconditionFailure("rows were committed before begin")
        }
    }

    /// The result's rows that are finished, as a bitmap of their own that shares their memory; `nil` before the first. The
    /// sink goes on below them.
    public func snapshot() -> Bitmap? {
        switch state {
        case .waiting: nil
        case .collecting(let sink): sink.snapshot()
        case .resampling(let resampling, _): resampling.finishedRows
        }
    }

    /// The finished picture; `nil` before the last row has come. May be called once.
    public func takeBitmap() -> Bitmap? {
        switch state {
        case .waiting: return nil
        case .collecting(let sink): return sink.takeBitmap()
        case .resampling(let resampling, _):
            guard let bitmap = resampling.bitmap else { return nil }
            state = .waiting
            return bitmap
        }
    }
}
