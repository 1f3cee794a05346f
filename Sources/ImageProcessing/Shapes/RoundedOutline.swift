import Pixels

/// A rectangle with round corners, and how much of each pixel lies within.
struct RoundedOutline {
    private let left: Double
    private let top: Double
    private let right: Double
    private let bottom: Double
    private let radii: CornerRadii

    /// - Parameter inset: how far it lies within the picture's edges; its corners are that much tighter.
    init(_ size: PixelSize, radii: CornerRadii, inset: Double = 0) {
        left = inset
        top = inset
        right = Double(size.width) - inset
        bottom = Double(size.height) - inset
        self.radii = radii.map { max(0, $0 - inset) }
    }

    /// A row is cut into as many lines, whose ends are exact. Between the corners one is enough.
    private func lines(inRow y: Int) -> Int {
        let isStraight =
            Double(y) >= top + max(radii.topLeft, radii.topRight)
            && Double(y + 1) <= bottom - max(radii.bottomLeft, radii.bottomRight)
        return isStraight ? 1 : 16
    }

    /// Finds out how much of a row's pixels lies within.
    ///
    /// - Parameters:
    ///   - coverage: set to 0…1 for all pixels outside the returned range.
    /// - Returns: the pixels that lie within as a whole.
    func cover(row y: Int, width: Int, _ coverage: UnsafeMutablePointer<Float>) -> Range<Int> {
        var (leastLeft, mostLeft, leastRight, mostRight) = (Double(width), 0.0, Double(width), 0.0)
        let lines = lines(inRow: y)
        var isWhole = true
        for line in 0..<lines {
            guard let (from, to) = ends(y, line, of: lines) else {
                isWhole = false
                continue
            }
            (leastLeft, mostLeft) = (min(leastLeft, from), max(mostLeft, from))
            (leastRight, mostRight) = (min(leastRight, to), max(mostRight, to))
        }
        let inner = (Int(mostLeft.rounded(.up)), Int(leastRight.rounded(.down)))
        let full = isWhole && inner.0 < inner.1 ? inner.0..<inner.1 : 0..<0
        let first = max(0, Int(leastLeft.rounded(.down)))
        let touched = first..<max(first, min(width, Int(mostRight.rounded(.up))))
        for part in [0..<full.lowerBound, full.upperBound..<width] {
            for x in part { coverage[x] = 0 }
            let kept = part.clamped(to: touched)
            guard !kept.isEmpty else { continue }
            for line in 0..<lines {
                guard let (from, to) = ends(y, line, of: lines) else { continue }
                let first = max(kept.lowerBound, Int(from.rounded(.down)))
                for x in first..<max(first, min(kept.upperBound, Int(to.rounded(.up)))) {
                    let length = min(Double(x + 1), to) - max(Double(x), from)
                    coverage[x] += Float(max(0, length)) / Float(lines)
                }
            }
        }
        return full
    }

    /// Where a line of a row enters and leaves.
    private func ends(_ row: Int, _ line: Int, of lines: Int) -> (from: Double, to: Double)? {
        let y = Double(row) + (Double(line) + 0.5) / Double(lines)
        guard y >= top, y <= bottom else { return nil }
        let from = left + max(Self.inset(radii.topLeft, y - top), Self.inset(radii.bottomLeft, bottom - y))
        let to = right - max(Self.inset(radii.topRight, y - top), Self.inset(radii.bottomRight, bottom - y))
        return from < to ? (from, to) : nil
    }

    /// How far a corner draws the side in, at a distance from its end.
    private static func inset(_ radius: Double, _ distance: Double) -> Double {
        guard distance < radius else { return 0 }
        let rest = radius - distance
        return radius - max(0, radius * radius - rest * rest).squareRoot()
    }
}
