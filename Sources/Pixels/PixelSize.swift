/// A picture's width and height in pixels.
public struct PixelSize: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Neither side is zero or negative.
    public var isPositive: Bool { width > 0 && height > 0 }

    /// Width times height, `nil` when it does not fit in an `Int` or a side is negative.
    public var pixelCount: Int? {
        guard width >= 0, height >= 0 else { return nil }
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : product
    }

    /// The same picture lying on its side.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width) × \(height)" }
}
