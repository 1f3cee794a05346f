import Pixels

extension Bitmap {
    /// The same pixels with the colours divided by alpha, four bytes each, as most encoders take them; itself when opaque.
    ///
    /// - Throws: ``CodingError`` with `unsupportedFeature` for pixels other than 8-bit RGBA, or `outOfMemory`.
    func straightened(for format: ImageFormat) throws(CodingError) -> Bitmap {
        guard self.format == .rgba8 || self.format == .rgbx8 else {
            throw CodingError(.unsupportedFeature, "\(format) is made from 8-bit RGBA pixels only.", format: format)
        }
        guard !self.format.isOpaque else { return self }
        do {
            var copy = try Bitmap(
                uninitialized: size, format: PixelFormat(channels: .rgba, component: .uint8, alpha: .straight))
            let stride = copy.bytesPerRow
            try copy.withUnsafeMutableBytes { target in
                withUnsafeBytes { source in
                    guard let source = source.baseAddress, let target = target.baseAddress else { return }
                    for row in 0..<height {
                        Premultiplication.divide(source + row * bytesPerRow, into: target + row * stride, count: width)
                    }
                }
            }
            return copy
        } catch {
            throw CodingError(.outOfMemory, "There is no memory to encode the \(format).", format: format)
        }
    }
}
