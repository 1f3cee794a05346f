public import Pixels

extension Bitmap {
    /// The mean of all colours, each counting as much as it is opaque, with the mean of all opacities. In stored values:
    /// colours are not made linear.
    ///
    /// - Throws: ``ProcessingError`` when there is no memory.
    public func averageColor() throws -> PixelColor {
        var sum = SIMD4<Double>()
        try readRows { _, row in
            var line = SIMD4<Double>()
            for x in 0..<width { line += SIMD4<Double>(row[x]) }
            sum += line
        }
        return PixelColor(Pixel(sum / (Double(width) * Double(height))))
    }

    /// The colour that most of the picture has, for a placeholder or a frame around it.
    ///
    /// Colours are sorted into 4,096 boxes, 16 steps for each channel, each counting as much as it is opaque. The result is
    /// the mean of the fullest box, without transparency.
    ///
    /// - Returns: `nil` when all is transparent.
    /// - Throws: ``ProcessingError`` when there is no memory.
    public func dominantColor() throws -> PixelColor? {
        // In Double: past some millions a Float adds nothing any more.
        let boxes = try ScratchBuffer<SIMD4<Double>>(count: 4_096)
        boxes.base.update(repeating: .zero, count: boxes.count)
        try readRows { _, row in
            for x in 0..<width where row[x].w > 0 {
                let straight = row[x] / row[x].w
                func step(_ level: Float) -> Int { Int(UInt8(level: level) >> 4) }
                boxes.base[step(straight.x) << 8 | step(straight.y) << 4 | step(straight.z)] += SIMD4<Double>(row[x])
            }
        }
        let all = UnsafeBufferPointer(start: boxes.base, count: boxes.count)
        guard let fullest = all.max(by: { $0.w < $1.w }), fullest.w > 0 else { return nil }
        return PixelColor(Pixel(fullest / fullest.w))
    }
}
