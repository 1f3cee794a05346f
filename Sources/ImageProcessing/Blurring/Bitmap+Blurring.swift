import Pixels

extension Bitmap {
    /// The widest Gaussian, and the largest radius of a box.
    static let widestBlur = 10_000

    /// From here on a Gaussian is three moving averages, whose time does not depend on its width.
    static let averagedSigma = 3.0

    /// Blurred by a Gaussian; the outermost pixels go on beyond the edges.
    ///
    /// - Parameters:
    ///   - sigma: the standard deviation in pixels, 0 to ``widestBlur``. Below 0.1 nothing changes.
    ///   - target: the result's format, this picture's by default.
    func blurred(
        sigma: Double, into target: PixelFormat? = nil, kernels: PixelKernels = .native
    ) throws -> Bitmap {
        try ProcessingError.check(sigma, "sigma of the blur", in: 0...Double(Self.widestBlur))
        let target = target ?? format
        if sigma < 0.1 { return try converted(to: target) }
        if sigma >= Self.averagedSigma {
            return try averaged(MovingBox(sigma: sigma, passes: 3), passes: 3, into: target, kernels: kernels)
        }
        var result = try Bitmap.room(size, target)
        let filter = try RowResampler(
            columns: FilterWindows(gaussian: sigma, count: width, copies: 4),
            rows: FilterWindows(gaussian: sigma, count: height, copies: 1), from: format, to: target, kernels: kernels)
        let stride = result.bytesPerRow
        try result.withUnsafeMutableBytes { output in
            withUnsafeBytes { input in
                guard let output = output.baseAddress, let input = input.baseAddress else { return }
                filter.take(
                    input.assumingMemoryBound(to: UInt8.self), bytesPerRow: bytesPerRow, rowCount: height,
                    output: output.assumingMemoryBound(to: UInt8.self), outputBytesPerRow: stride)
            }
        }
        return result
    }

    /// The mean of the pixels around each, over and over; the outermost pixels go on beyond the edges.
    func boxBlurred(radius: Int, passes: Int, kernels: PixelKernels = .native) throws -> Bitmap {
        try ProcessingError.check(Double(radius), "radius of the box", in: 0...Double(Self.widestBlur))
        try ProcessingError.check(Double(passes), "number of passes", in: 1...10)
        if radius == 0 { return self }
        return try averaged(MovingBox(radius: radius), passes: passes, into: format, kernels: kernels)
    }

    /// Columns first, strip by strip, so that the rows which an average reaches over stay in the processor's cache; then
    /// rows in place.
    private func averaged(
        _ box: MovingBox, passes: Int, into target: PixelFormat, kernels: PixelKernels
    ) throws -> Bitmap {
        var result = try Bitmap.room(size, target)
        let stride = result.bytesPerRow
        try result.withUnsafeMutableBytes { output in
            guard let output = output.baseAddress else { return }
            try averageColumns(
                box, passes: passes, into: output, bytesPerRow: stride,
                converter: RowConverter(target, kernels: kernels))
        }
        let border = box.radius + 1
        let padded = try ScratchBuffer<Pixel>(count: width + border * 2)
        try result.editRows(kernels: kernels) { _, row in
            for _ in 0..<passes {
                padded.base.update(repeating: row[0], count: border)
                (padded.base + border).update(from: row, count: width)
                (padded.base + border + width).update(repeating: row[width - 1], count: border)
                kernels.boxRow(padded.base, into: row, count: width, box: box)
            }
        }
        return result
    }

    private func averageColumns(
        _ box: MovingBox, passes: Int, into output: UnsafeMutableRawPointer, bytesPerRow stride: Int,
        converter: RowConverter
    ) throws {
        // Narrower where many rows have to be kept: 16 MiB for all of them.
        let rows = passes * min(height, box.radius * 2 + 3)
        let strip = min(width, max(4, min(64, (1 << 20) / rows)))
        let input = RowConverter(format, kernels: converter.kernels)
        let (pixel, resultPixel) = (format.bytesPerPixel, converter.format.bytesPerPixel)
        let stages = try (0..<passes).map { _ in
            try ColumnAverage(box, width: strip, height: height, kernels: converter.kernels)
        }
        let line = try ScratchBuffer<Pixel>(count: strip)
        withUnsafeBytes { source in
            guard let source = source.baseAddress else { return }
            for left in Swift.stride(from: 0, to: width, by: strip) {
                let count = min(strip, width - left)
                var finished = 0
                // What one stage makes the next one takes; the last one's rows are the result's.
                func drain(_ index: Int) {
                    if index + 1 < stages.count {
                        while stages[index].make(into: stages[index + 1].nextRow, count: count) {
                            stages[index + 1].commit()
                            drain(index + 1)
                        }
                    } else {
                        while stages[index].make(into: line.base, count: count) {
                            converter.store(
                                line.base, into: output + finished * stride + left * resultPixel, count: count)
                            finished += 1
                        }
                    }
                }
                for stage in stages { stage.restart() }
                for y in 0..<height {
                    input.load(source + y * bytesPerRow + left * pixel, into: stages[0].nextRow, count: count)
                    stages[0].commit()
                    drain(0)
                }
            }
        }
    }
}
