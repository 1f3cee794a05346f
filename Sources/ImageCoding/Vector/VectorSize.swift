#if SVG || PDF
import Pixels

extension PixelSize {
    /// A drawing's size in whole pixels, none of which is cut off. What is no number, or beyond all limits, is zero or huge
    /// enough to be refused.
    init(roundingUp width: Double, _ height: Double) {
        func pixels(_ length: Double) -> Int { length > 0 ? Int(min(length.rounded(.up), 1e9)) : 0 }
        self.init(width: pixels(width), height: pixels(height))
    }

    /// The smallest size of this shape that covers `minimum`, larger than this one too, since a drawing has no pixels.
    func vector(covering minimum: PixelSize?) -> PixelSize {
        guard let minimum, minimum.isPositive, isPositive else { return self }
        let scale = max(Double(minimum.width) / Double(width), Double(minimum.height) / Double(height))
        func side(_ length: Int, _ least: Int) -> Int { max(least, Int(min((Double(length) * scale).rounded(), 1e9))) }
        return PixelSize(width: side(width, minimum.width), height: side(height, minimum.height))
    }
}
#endif
