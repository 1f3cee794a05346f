import Pixels

/// Red, green and blue of one display to sRGB's: a curve for each, a matrix, sRGB's curve. Most profiles are no more.
///
/// By tables of our own this takes a fifth of lcms2's time for 8 bits; for 16 lcms2 would choose between being off by 15 of
/// 255 and taking thirty times longer.
struct MatrixShaper: Sendable {
    /// What each value of an 8-bit channel adds to sRGB's light, in steps of `encoded`.
    private let light8: [SIMD4<Float>]
    /// The light of each 16-bit sample, a channel after the other; only once where they are alike.
    private let light16: [Float]
    private let columns: [SIMD4<Float>]

    private static let steps = 16_383
    /// sRGB's byte of a light in steps.
    private static let encoded = (0...steps).map { step in
        UInt8(TransferCurve.sRGB.sample(Double(step) / Double(steps)) * 255 + 0.5)
    }
    private static let sample = RootTable(TransferCurve.sRGB.sample)

    /// - Parameters:
    ///   - matrix: from the display's light to sRGB's.
    ///   - isWide: for 16-bit samples, else for 8-bit ones.
    ///   - curves: the light of a channel's sample, both from 0 to 1, for red, green and blue; one for all three.
    init(_ matrix: ColorMatrix, isWide: Bool, curves: [(Double) -> Double]) {
        let columns = (0..<3).map { channel in
            SIMD4<Float>(
                Float(matrix.values[channel]), Float(matrix.values[3 + channel]), Float(matrix.values[6 + channel]), 0)
        }
        self.columns = columns
        guard !isWide else {
            light16 = curves.flatMap { curve in (0...65_535).map { Float(curve(Double($0) / 65_535)) } }
            light8 = []
            return
        }
        light8 = (0..<3).flatMap { channel in
            let curve = curves[channel % curves.count]
            return (0...255).map { columns[channel] * Float(curve(Double($0) / 255)) * Float(Self.steps) }
        }
        light16 = []
    }

    /// Converts pixels of four channels; alpha is passed on. The same memory may be source and target.
    func convert8(_ pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        light8.withUnsafeBufferPointer { light in
            Self.encoded.withUnsafeBufferPointer { encoded in
                for offset in stride(from: 0, to: count * 4, by: 4) {
                    // Red is the lowest byte: every processor that Swift runs on is little-endian.
                    let pixel = pixels.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let sum =
                        light[Int(pixel & 255)] + light[256 + Int(pixel >> 8 & 255)]
                        + light[512 + Int(pixel >> 16 & 255)]
                    // The mask is for a profile whose curves are no numbers.
                    let places = sum.wholes(to: Float(Self.steps)) & UInt32(Self.steps)
                    let red = UInt32(encoded[Int(places.x)])
                    let green = UInt32(encoded[Int(places.y)])
                    let blue = UInt32(encoded[Int(places.z)])
                    target.storeBytes(
                        of: red | green << 8 | blue << 16 | pixel & 0xFF00_0000, toByteOffset: offset, as: UInt32.self)
                }
            }
        }
    }

    /// The same for 16 bits, into 8 or 16.
    func convert16(
        _ pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, component: PixelFormat.Component, count: Int
    ) {
        let other = light16.count > 65_536 ? 65_536 : 0
        let (table, columns) = (Self.sample, columns)
        light16.withUnsafeBufferPointer { light in
            for index in 0..<count {
                let pixel = pixels.loadUnaligned(fromByteOffset: index * 8, as: SIMD4<UInt16>.self)
                let sum =
                    columns[0] * light[Int(pixel.x)] + columns[1] * light[other + Int(pixel.y)]
                    + columns[2] * light[2 * other + Int(pixel.z)]
                let color = SIMD4(table[sum.x], table[sum.y], table[sum.z], Float(pixel.w) / 65_535)
                if component == .uint8 {
                    let bytes = SIMD4<UInt8>(truncatingIfNeeded: (color * 255).wholes(to: 255))
                    target.storeBytes(of: bytes, toByteOffset: index * 4, as: SIMD4<UInt8>.self)
                } else {
                    let words = SIMD4<UInt16>(truncatingIfNeeded: (color * 65_535).wholes(to: 65_535))
                    target.storeBytes(of: words, toByteOffset: index * 8, as: SIMD4<UInt16>.self)
                }
            }
        }
    }
}
