import Pixels

extension Bitmap {
    /// The picture with round corners, transparent outside of them, and a line along its outline.
    func rounded(_ radii: CornerRadii, border: Border?, kernels: PixelKernels = .native) throws -> Bitmap {
        for radius in radii.all {
            try ProcessingError.check(radius, "radius of a corner", in: 0...Double.greatestFiniteMagnitude)
        }
        if let border {
            try ProcessingError.check(border.width, "width of the border", in: 0...Double(TargetSize.maximumSide))
        }
        let line = border.flatMap { $0.width > 0 && $0.color.alpha > 0 ? $0 : nil }
        let isSquare = radii.all.allSatisfy { $0 == 0 }
        if isSquare, line == nil { return self }

        let format = format.widened(alpha: !isSquare, color: line.map { !$0.color.isGray } ?? false)
        let fitted = radii.fitted(into: size)
        let outer = RoundedOutline(size, radii: fitted)
        let inner = line.map { RoundedOutline(size, radii: fitted, inset: $0.width) }
        var result = try converted(to: format, kernels: kernels)
        try result.cut(to: outer, line: inner, color: line?.color.pixel ?? .zero, kernels: kernels)
        return result
    }

    /// The largest circle around the middle, in a square picture.
    func circle(border: Border?) throws -> Bitmap {
        let side = min(width, height)
        let square = try cropped(to: PixelSize(width: side, height: side), gravity: .center)
        return try square.rounded(CornerRadii(Double(side) / 2), border: border)
    }

    /// Changes only the pixels that do not lie within both outlines.
    private mutating func cut(
        to outer: RoundedOutline, line inner: RoundedOutline?, color: Pixel, kernels: PixelKernels
    ) throws {
        let (width, height, stride, pixelBytes) = (width, height, bytesPerRow, format.bytesPerPixel)
        let converter = RowConverter(format, kernels: kernels)
        let outerCoverage = try ScratchBuffer<Float>(count: width)
        let innerCoverage = try ScratchBuffer<Float>(count: width)
        let row = try ScratchBuffer<Pixel>(count: width)
        try withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<height {
                let whole = outer.cover(row: y, width: width, outerCoverage.base)
                let kept = inner?.cover(row: y, width: width, innerCoverage.base) ?? whole
                for x in whole { outerCoverage.base[x] = 1 }
                for part in [0..<kept.lowerBound, kept.upperBound..<width] where !part.isEmpty {
                    let address = base + y * stride + part.lowerBound * pixelBytes
                    converter.load(address, into: row.base, count: part.count)
                    for x in part {
                        let pixel = row.base[x - part.lowerBound]
                        let outside = outerCoverage.base[x]
                        let inside = inner == nil ? outside : min(outside, innerCoverage.base[x])
                        let lined = color + pixel * (1 - color.w)
                        row.base[x - part.lowerBound] = pixel * inside + lined * (outside - inside)
                    }
                    converter.store(row.base, into: address, count: part.count)
                }
            }
        }
    }
}
