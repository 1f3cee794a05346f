import Pixels

extension Bitmap {
    /// An unsharp mask: what a blur takes away is added once more.
    ///
    /// - Parameters:
    ///   - sigma: of the blur, 0 to ``widestBlur``; what is sharpened is about as wide.
    ///   - amount: how much is added, 0 to 100.
    ///   - threshold: pixels that differ less from the blur in every channel stay as they are, 0 to 1.
    func sharpened(
        sigma: Double, amount: Double, threshold: Double, kernels: PixelKernels = .native
    ) throws -> Bitmap {
        try ProcessingError.check(amount, "amount of sharpening", in: 0...100)
        try ProcessingError.check(threshold, "threshold of sharpening", in: 0...1)
        // Twice the bits, so that the blur's rounding is not made larger with the rest.
        let finer = PixelFormat(
            channels: format.channels, component: format.component == .uint8 ? .uint16 : .float32,
            alpha: format.isOpaque ? .opaque : .premultiplied)
        if amount == 0 || sigma < 0.1, sigma >= 0 { return self }
        let blurred = try blurred(sigma: sigma, into: finer, kernels: kernels)
        let converter = RowConverter(finer, kernels: kernels)
        let line = try ScratchBuffer<Pixel>(count: width)
        let (strength, least) = (Float(amount), Float(threshold))
        var result = self
        try blurred.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            try result.editRows(kernels: kernels) { y, row in
                converter.load(base + y * blurred.bytesPerRow, into: line.base, count: width)
                for x in 0..<width {
                    let lost = row[x] - line.base[x]
                    let most = max(lost.max(), -lost.min())
                    if most >= least { row[x] += lost * strength }
                }
            }
        }
        return result
    }
}
