import CPixelKernels

/// A pixel while it is worked on: red, green, blue and alpha, colours multiplied by alpha, 1 being white and opaque.
typealias Pixel = SIMD4<Float>

extension PixelKernels {
    /// Bytes of `rgba8` and `rgbx8` to floats.
    func load(_ bytes: UnsafePointer<UInt8>, into pixels: UnsafeMutablePointer<Pixel>, count: Int) {
        switch self {
        case .native: cpk_load_rgba8(pixels.samples, bytes, count)
        case .swift: SwiftKernels.load(bytes, into: pixels, count: count)
        }
    }

    /// Floats to bytes of `rgba8`, or of `rgbx8` when `opaque`: rounded, clamped, no colour above its alpha.
    func store(_ pixels: UnsafePointer<Pixel>, into bytes: UnsafeMutablePointer<UInt8>, count: Int, opaque: Bool) {
        switch self {
        case .native: cpk_store_rgba8(bytes, pixels.samples, count, opaque ? 1 : 0)
        case .swift: SwiftKernels.store(pixels, into: bytes, count: count, opaque: opaque)
        }
    }

    /// Adds weighted rows of pixels, which lie without a gap, to rows of sums.
    func accumulate(
        _ rows: UnsafePointer<Pixel>, pixelsPerRow: Int, into targets: UnsafeBufferPointer<cpk_row_sum>
    ) {
        switch self {
        case .native: cpk_accumulate_floats(rows.samples, pixelsPerRow * 4, targets.baseAddress, targets.count)
        case .swift: SwiftKernels.accumulate(rows, pixelsPerRow: pixelsPerRow, into: targets)
        }
    }

    /// Filters a row of sums along x into floats that are neither rounded nor clamped.
    func filter(
        _ sums: UnsafePointer<Float>, into out: UnsafeMutablePointer<Pixel>, pixelCount: Int,
        windows: UnsafePointer<cpk_window>, weights: UnsafePointer<Float>
    ) {
        switch self {
        case .native: cpk_filter_floats(out.samples, pixelCount, sums, windows, weights)
        case .swift: SwiftKernels.filter(sums, into: out, pixelCount: pixelCount, windows: windows, weights: weights)
        }
    }

    /// Lays pixels over others, weighted by the other's alpha.
    ///
    /// - Parameter step: 1, or 0 where one pixel is laid over all.
    func compose(
        _ source: UnsafePointer<Pixel>, step: Int, over backdrop: UnsafeMutablePointer<Pixel>, count: Int,
        by weights: PorterDuff
    ) {
        switch self {
        case .native:
            let m = (weights.source, weights.sourceByBackdrop, weights.backdrop, weights.backdropBySource)
            withUnsafeBytes(of: m) {
                cpk_porter_duff(
                    backdrop.samples, source.samples, step, count, $0.assumingMemoryBound(to: Float.self).baseAddress)
            }
        case .swift:
            for x in 0..<count { backdrop[x] = weights.compose(source[x * step], over: backdrop[x]) }
        }
    }

    /// A moving average over a row that has `box.radius + 1` pixels more on either side.
    func boxRow(_ padded: UnsafePointer<Pixel>, into out: UnsafeMutablePointer<Pixel>, count: Int, box: MovingBox) {
        switch self {
        case .native: cpk_box_row(out.samples, padded.samples, count, box.radius, box.edge, box.scale)
        case .swift: SwiftKernels.boxRow(padded, into: out, count: count, box: box)
        }
    }

    /// One row of a moving average down the columns; `after` comes into the sums then, and `leaving` goes.
    func boxColumn(
        _ sums: UnsafeMutablePointer<SIMD4<Double>>, before: UnsafePointer<Pixel>, leaving: UnsafePointer<Pixel>,
        after: UnsafePointer<Pixel>, into out: UnsafeMutablePointer<Pixel>, count: Int, box: MovingBox
    ) {
        switch self {
        case .native:
            cpk_box_column(
                out.samples, UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Double.self), before.samples,
                leaving.samples, after.samples, count * 4, box.edge, box.scale)
        case .swift:
            for x in 0..<count {
                out[x] = (Pixel(sums[x]) + box.edge * (before[x] + after[x])) * box.scale
                sums[x] += SIMD4<Double>(after[x]) - SIMD4<Double>(leaving[x])
            }
        }
    }
}

extension UnsafePointer<Pixel> {
    var samples: UnsafePointer<Float> { UnsafeRawPointer(self).assumingMemoryBound(to: Float.self) }
}

extension UnsafeMutablePointer<Pixel> {
    var samples: UnsafeMutablePointer<Float> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self) }
}
