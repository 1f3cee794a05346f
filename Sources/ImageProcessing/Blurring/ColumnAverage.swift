/// A moving average down the columns of a strip, for rows that come one by one. It keeps only the rows that the average
/// reaches over; the first and the last row go on beyond the picture.
final class ColumnAverage {
    private let box: MovingBox
    private let kernels: PixelKernels
    private let height: Int
    private let width: Int
    private let rows: ScratchBuffer<Pixel>
    private let slots: Int
    private let sums: ScratchBuffer<SIMD4<Double>>
    private var came = 0
    private var made = 0

    init(_ box: MovingBox, width: Int, height: Int, kernels: PixelKernels) throws(ProcessingError) {
        self.box = box
        self.kernels = kernels
        self.width = width
        self.height = height
        slots = min(height, box.radius * 2 + 3)
        rows = try ScratchBuffer(count: slots * width)
        sums = try ScratchBuffer(count: width)
    }

    /// Forgets all rows: another strip comes.
    func restart() {
        came = 0
        made = 0
    }

    /// Room for the next row that comes.
    var nextRow: UnsafeMutablePointer<Pixel> { rows.base + came % slots * width }

    /// The row in ``nextRow`` is there.
    func commit() { came += 1 }

    /// Makes the next row of averages when the rows that it needs have come.
    func make(into out: UnsafeMutablePointer<Pixel>, count: Int) -> Bool {
        guard made < height, came == height || made + box.radius + 1 < came else { return false }
        if made == 0 { start(count) }
        kernels.boxColumn(
            sums.base, before: row(made - box.radius - 1), leaving: row(made - box.radius),
            after: row(made + box.radius + 1), into: out, count: count, box: box)
        made += 1
        return true
    }

    private func row(_ index: Int) -> UnsafePointer<Pixel> {
        UnsafePointer(rows.base + min(max(index, 0), height - 1) % slots * width)
    }

    private func start(_ count: Int) {
        let below = min(box.radius, height - 1)
        for x in 0..<count {
            var sum = SIMD4<Double>(row(0)[x]) * Double(box.radius + 1)
            for y in 0..<below { sum += SIMD4<Double>(row(y + 1)[x]) }
            if box.radius > below { sum += SIMD4<Double>(row(below)[x]) * Double(box.radius - below) }
            sums.base[x] = sum
        }
    }
}
