import CPixelKernels

/// The pixel loops in plain Swift. Integer loops give the same bytes as the C ones; float loops may differ by the
/// rounding of a fused multiplication, so by one level at most.
enum SwiftKernels {
    static func accumulate(
        _ rows: UnsafePointer<UInt8>, bytesPerRow: Int, sampleCount: Int, into targets: UnsafeBufferPointer<cpk_row_sum>
    ) {
        for target in targets {
            guard let sums = target.sums, let weights = target.weights else { continue }
            if target.fresh != 0 { sums.update(repeating: 0, count: sampleCount) }
            for row in 0..<target.row_count {
                let weight = weights[row]
                let from = rows + (target.first_row + row) * bytesPerRow
                for sample in 0..<sampleCount { sums[sample] += weight * Float(from[sample]) }
            }
        }
    }

    static func filter(
        _ sums: UnsafePointer<Float>, into out: UnsafeMutablePointer<UInt8>, pixelCount: Int,
        windows: UnsafePointer<cpk_window>, weights: UnsafePointer<Float>
    ) {
        for pixel in 0..<pixelCount {
            let window = windows[pixel]
            var sum = SIMD4<Float>()
            for tap in 0..<window.count {
                let from = sums + (window.start + tap) * 4
                sum += weights[(window.offset + tap) * 4] * SIMD4(from[0], from[1], from[2], from[3])
            }
            let level = SIMD4<UInt8>(
                truncatingIfNeeded: SIMD4<Int32>(
                    sum.clamped(lowerBound: .zero, upperBound: .init(repeating: 255)) + 0.5))
            for channel in 0..<4 { out[pixel * 4 + channel] = min(level[channel], level.w) }
        }
    }

    static func boxAccumulate(
        _ rows: UnsafePointer<UInt8>, bytesPerRow: Int, rowCount: Int, sampleCount: Int,
        into sums: UnsafeMutablePointer<UInt32>, fresh: Bool
    ) {
        if fresh { sums.update(repeating: 0, count: sampleCount) }
        for row in 0..<rowCount {
            let from = rows + row * bytesPerRow
            for sample in 0..<sampleCount { sums[sample] &+= UInt32(from[sample]) }
        }
    }

    static func boxFinish(
        _ sums: UnsafePointer<UInt32>, into out: UnsafeMutablePointer<UInt8>, pixelCount: Int, factor: Int,
        rowCount: Int
    ) {
        var target = out
        for first in stride(from: 0, to: pixelCount, by: factor) {
            let end = min(first + factor, pixelCount)
            let area = UInt64((end - first) * rowCount)
            // The quotient as a product, as the C loop has it: exact for areas below 4,100 pixels, and for flat ones of any
            // area that is allowed.
            let inverse = (0xFFFF_FFFF + area) / area
            for channel in 0..<4 {
                var sum: UInt32 = 0
                for pixel in first..<end { sum &+= sums[pixel * 4 + channel] }
                target[channel] = UInt8(truncatingIfNeeded: (UInt64(sum &+ UInt32(area / 2)) * inverse) >> 32)
            }
            target += 4
        }
    }
}
