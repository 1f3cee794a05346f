import CPixelKernels

/// The loops over floats in plain Swift.
extension SwiftKernels {
    static func load(_ bytes: UnsafePointer<UInt8>, into pixels: UnsafeMutablePointer<Pixel>, count: Int) {
        for x in 0..<count {
            let levels = SIMD4(bytes[x * 4], bytes[x * 4 + 1], bytes[x * 4 + 2], bytes[x * 4 + 3])
            pixels[x] = Pixel(levels) * (1 / 255)
        }
    }

    static func store(
        _ pixels: UnsafePointer<Pixel>, into bytes: UnsafeMutablePointer<UInt8>, count: Int, opaque: Bool
    ) {
        for x in 0..<count {
            var pixel = pixels[x].clamped(lowerBound: .zero, upperBound: .one)
            if opaque { pixel.w = 1 }
            pixel = pointwiseMin(pixel, Pixel(repeating: pixel.w))
            let levels = SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(pixel * 255 + 0.5))
            for channel in 0..<4 { bytes[x * 4 + channel] = levels[channel] }
        }
    }

    static func boxRow(
        _ padded: UnsafePointer<Pixel>, into out: UnsafeMutablePointer<Pixel>, count: Int, box: MovingBox
    ) {
        let last = box.radius * 2 + 2
        var sum = SIMD4<Double>()
        for x in 1..<last { sum += SIMD4<Double>(padded[x]) }
        for x in 0..<count {
            out[x] = (Pixel(sum) + box.edge * (padded[x] + padded[x + last])) * box.scale
            sum += SIMD4<Double>(padded[x + last]) - SIMD4<Double>(padded[x + 1])
        }
    }

    /// As ``accumulate(_:bytesPerRow:sampleCount:into:)``, from rows of floats.
    static func accumulate(
        _ rows: UnsafePointer<Pixel>, pixelsPerRow: Int, into targets: UnsafeBufferPointer<cpk_row_sum>
    ) {
        for target in targets {
            guard let sums = target.sums, let weights = target.weights else { continue }
            if target.fresh != 0 { sums.update(repeating: 0, count: pixelsPerRow * 4) }
            for row in 0..<target.row_count {
                let weight = weights[row]
                let from = (rows + (target.first_row + row) * pixelsPerRow).samples
                for sample in 0..<pixelsPerRow * 4 { sums[sample] += weight * from[sample] }
            }
        }
    }

    /// As ``filter(_:into:pixelCount:windows:weights:)``, into floats that are neither rounded nor clamped.
    static func filter(
        _ sums: UnsafePointer<Float>, into out: UnsafeMutablePointer<Pixel>, pixelCount: Int,
        windows: UnsafePointer<cpk_window>, weights: UnsafePointer<Float>
    ) {
        for pixel in 0..<pixelCount {
            let window = windows[pixel]
            var sum = Pixel()
            for tap in 0..<window.count {
                let from = sums + (window.start + tap) * 4
                sum += weights[(window.offset + tap) * 4] * Pixel(from[0], from[1], from[2], from[3])
            }
            out[pixel] = sum
        }
    }
}
