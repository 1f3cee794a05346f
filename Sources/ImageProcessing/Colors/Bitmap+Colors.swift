public import Pixels

extension Bitmap {
    /// The colour of one pixel, whatever the format: alpha divided out, rounded to 8 bits.
    ///
    /// - Parameters:
    ///   - x: from the left, 0 being the first.
    ///   - y: from the top, 0 being the first.
    /// - Returns: `nil` outside the picture.
    public func color(x: Int, y: Int) -> PixelColor? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        let converter = RowConverter(format)
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var pixel = Pixel()
            converter.load(base + y * bytesPerRow + x * format.bytesPerPixel, into: &pixel, count: 1)
            return PixelColor(pixel)
        }
    }

    /// The colours of a part of the picture, row by row from the top left.
    ///
    /// - Returns: `nil` when the part is empty or reaches outside the picture.
    /// - Throws: ``ProcessingError`` when there is no memory.
    public func colors(in rect: PixelRect) throws -> [PixelColor]? {
        guard !rect.isEmpty, rect.clamped(to: size) == rect else { return nil }
        var colors: [PixelColor] = []
        try readRows(of: rect) { _, row in
            for x in 0..<rect.width { colors.append(PixelColor(row[x])) }
        }
        return colors
    }
}
