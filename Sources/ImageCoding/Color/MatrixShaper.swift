import Pixels

/// Red, green and blue of one display to sRGB's: a curve for each, a matrix, sRGB's curve. Most profiles are no more.
///
/// By tables of our own this takes a fifth of lcms2's time for 8 bits; for 16 lcms2 would choose between being off by 15 of
/// 255 and taking thirty times longer.
struct MatrixShaper: Sendable {
    /// What each value of an 8-bit channel adds to sRGB's light, in steps of ``encoded``.
    private let light8: [SIMD4<Float>]
    /// sRGB's byte of a light.
    private let encoded: [UInt8]
    /// The light of each 16-bit sample, a channel after the other; only once where they are alike.
    private let light16: [Float]
    private let columns: [SIMD4<Float>]

    private static let steps: Float = 16_383
    private static let sample = RootTable(Self.encode)

    private static func encode(_ light: Double) -> Double { TransferCurve.sRGB.sample(light) }

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
            (light8, encoded) = ([], [])
            return
        }
        light8 = (0..<3).flatMap { channel in
            let curve = curves[channel % curves.count]
            return (0...255).map { columns[channel] * Float(curve(Double($0) / 255)) * Self.steps }
        }
        encoded = (0...Int(Self.steps)).map { UInt8(Self.encode(Double($0) / Double(Self.steps)) * 255 + 0.5) }
        light16 = []
    }

    /// Converts pixels of four channels; alpha is passed on. The same memory may be source and target.
    func convert8(_ pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        light8.withUnsafeBufferPointer { light in
            encoded.withUnsafeBufferPointer { encoded in
                for offset in stride(from: 0, to: count * 4, by: 4) {
                    let pixel = pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                    let sum = light[Int(pixel.x)] + light[256 + Int(pixel.y)] + light[512 + Int(pixel.z)]
                    let places = SIMD4<Int32>(
                        sum.clamped(lowerBound: .zero, upperBound: .init(repeating: Self.steps)) + 0.5)
                    target.storeBytes(
                        of: SIMD4(
                            encoded[Int(places.x)], encoded[Int(places.y)], encoded[Int(places.z)], pixel.w),
                        toByteOffset: offset, as: SIMD4<UInt8>.self)
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
                    let bytes = SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(color * 255 + 0.5))
                    target.storeBytes(of: bytes, toByteOffset: index * 4, as: SIMD4<UInt8>.self)
                } else {
                    let words = SIMD4<UInt16>(truncatingIfNeeded: SIMD4<Int32>(color * 65_535 + 0.5))
                    target.storeBytes(of: words, toByteOffset: index * 8, as: SIMD4<UInt16>.self)
                }
            }
        }
    }
}
