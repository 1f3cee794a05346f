public import Pixels

/// The radii of a picture's corners in pixels.
///
/// Where two neighbours have more than their side together, all are made smaller by the same factor until they fit (CSS
/// Backgrounds and Borders 3, §5.5).
public struct CornerRadii: Hashable, Sendable {
    public var topLeft: Double
    public var topRight: Double
    public var bottomRight: Double
    public var bottomLeft: Double

    public init(topLeft: Double = 0, topRight: Double = 0, bottomRight: Double = 0, bottomLeft: Double = 0) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// The same for all corners.
    public init(_ all: Double) {
        self.init(topLeft: all, topRight: all, bottomRight: all, bottomLeft: all)
    }

    var all: [Double] { [topLeft, topRight, bottomRight, bottomLeft] }

    func map(_ change: (Double) -> Double) -> CornerRadii {
        CornerRadii(
            topLeft: change(topLeft), topRight: change(topRight), bottomRight: change(bottomRight),
            bottomLeft: change(bottomLeft))
    }

    func fitted(into size: PixelSize) -> CornerRadii {
        // What is longer than any side is as good as infinite.
        let limited = map { min($0, 1e6) }
        let (width, height) = (Double(size.width), Double(size.height))
        let sides = [
            (width, limited.topLeft + limited.topRight), (width, limited.bottomLeft + limited.bottomRight),
            (height, limited.topLeft + limited.bottomLeft), (height, limited.topRight + limited.bottomRight),
        ]
        let factor = sides.reduce(1) { least, side in side.1 > side.0 ? min(least, side.0 / side.1) : least }
        return limited.map { $0 * factor }
    }
}

/// A line along the outline of a picture, inside of it.
public struct Border: Hashable, Sendable {
    /// In pixels, 0 to 65,535. From half the shorter side on it covers the whole picture.
    public var width: Double
    public var color: PixelColor

    public init(width: Double, color: PixelColor) {
        self.width = width
        self.color = color
    }
}
