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

    /// The largest size of this shape whose pixels take at most `byteLimit` bytes, rows without padding; never larger than
    /// it is, and no side below 1.
    ///
    /// - Parameter bytesPerPixel: at least 1; four for 8-bit RGBA.
    public func within(byteLimit: Int, bytesPerPixel: Int = 4) -> PixelSize {
        let pixels = Double(max(0, byteLimit)) / Double(max(1, bytesPerPixel))
        let scale = (pixels / (Double(max(1, width)) * Double(max(1, height)))).squareRoot()
        guard scale < 1 else { return self }
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded(.down))) }
        return PixelSize(width: side(width), height: side(height))
    }

    /// The same picture lying on its side.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width) × \(height)" }
}
