/// Counts colours and finds a small palette for them: Wu's method ("Efficient Statistical Computations for Optimal Color
/// Quantization", Graphics Gems II, 1991).
///
/// The colour cube is cut, again and again, where that lowers the sum of squared errors most. Sums from the cube's corner
/// up to each cell make every such question one of eight look-ups.
struct ColorHistogram {
    /// Pixels, their summed red, green and blue, and their summed squares.
    private typealias Moments = SIMD8<Double>

    /// Five bits a channel, and one plane of zeros in front of each.
    private static let side = 33

    private var cells = [Moments](repeating: .zero, count: side * side * side)

    /// Counts a pixel as it lies in memory: red in the lowest byte.
    mutating func add(_ pixel: UInt32) {
        let red = Double(pixel & 0xFF)
        let green = Double(pixel >> 8 & 0xFF)
        let blue = Double(pixel >> 16 & 0xFF)
        let index = Self.index(Int(pixel >> 3 & 31) + 1, Int(pixel >> 11 & 31) + 1, Int(pixel >> 19 & 31) + 1)
        cells[index] += Moments(1, red, green, blue, red * red + green * green + blue * blue, 0, 0, 0)
    }

    /// The palette of at most `count` colours, as opaque pixels.
    consuming func palette(atMost count: Int) -> [UInt32] {
        accumulate()
        var boxes = [Box(low: SIMD3(repeating: 0), high: SIMD3(repeating: Self.side - 1))]
        var errors = [error(of: boxes[0])]
        while boxes.count < count, let worst = errors.indices.max(by: { errors[$0] < errors[$1] }), errors[worst] > 0 {
            guard let (first, second) = cut(boxes[worst]) else {
                errors[worst] = 0
                continue
            }
            boxes[worst] = first
            errors[worst] = error(of: first)
            boxes.append(second)
            errors.append(error(of: second))
        }
        return boxes.compactMap(mean)
    }

    private struct Box {
        /// Just outside of the box.
        var low: SIMD3<Int>
        /// Inside.
        var high: SIMD3<Int>
    }

    private static func index(_ red: Int, _ green: Int, _ blue: Int) -> Int { (red * side + green) * side + blue }

    private mutating func accumulate() {
        for red in 1..<Self.side {
            for green in 1..<Self.side {
                var line = Moments.zero
                for blue in 1..<Self.side {
                    line += cells[Self.index(red, green, blue)]
                    // The rows in front of this one hold sums already.
                    cells[Self.index(red, green, blue)] =
                        line + cells[Self.index(red - 1, green, blue)] + cells[Self.index(red, green - 1, blue)]
                        - cells[Self.index(red - 1, green - 1, blue)]
                }
            }
        }
    }

    private func moments(_ box: Box) -> Moments {
        let (low, high) = (box.low, box.high)
        func plane(_ red: Int) -> Moments {
            cells[Self.index(red, high.y, high.z)] - cells[Self.index(red, high.y, low.z)]
                - cells[Self.index(red, low.y, high.z)] + cells[Self.index(red, low.y, low.z)]
        }
        return plane(high.x) - plane(low.x)
    }

    /// The sum of squared distances from the mean.
    private func error(of box: Box) -> Double {
        let sum = moments(box)
        return sum[0] > 0 ? sum[4] - Self.score(sum) : 0
    }

    /// What a mean explains: the higher the better for the two halves of a box.
    private static func score(_ sum: Moments) -> Double {
        (sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]) / sum[0]
    }

    private func cut(_ box: Box) -> (Box, Box)? {
        let whole = moments(box)
        var best: (score: Double, halves: (Box, Box))?
        for axis in 0..<3 {
            for position in box.low[axis] + 1..<max(box.high[axis], box.low[axis] + 1) {
                var (first, second) = (box, box)
                first.high[axis] = position
                second.low[axis] = position
                let half = moments(first)
                let rest = whole - half
                guard half[0] > 0, rest[0] > 0 else { continue }
                let score = Self.score(half) + Self.score(rest)
                if score > best?.score ?? 0 { best = (score, (first, second)) }
            }
        }
        return best?.halves
    }

    private func mean(_ box: Box) -> UInt32? {
        let sum = moments(box)
        guard sum[0] > 0 else { return nil }
        func channel(_ total: Double) -> UInt32 { UInt32(min(255, max(0, (total / sum[0]).rounded()))) }
        return 0xFF00_0000 | channel(sum[3]) << 16 | channel(sum[2]) << 8 | channel(sum[1])
    }
}
