#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The cosine waves that both hashes take a picture apart into.
enum Wave {
    /// `cos(π × wave × (sample + phase) / length)` for every wave and sample.
    static func table(count: Int, length: Int, phase: Double) -> [[Float]] {
        (0..<count).map { wave in
            (0..<length).map { Float(cos(.pi * Double(wave) * (Double($0) + phase) / Double(length))) }
        }
    }
}

/// The transfer function of IEC 61966-2-1, from 0 to 1.
enum SRGB {
    static func linear(_ color: SIMD3<Float>) -> SIMD3<Float> {
        map(color) { $0 <= 0.04045 ? $0 / 12.92 : powf(($0 + 0.055) / 1.055, 2.4) }
    }

    static func encoded(_ color: SIMD3<Float>) -> SIMD3<Float> {
        map(color) { $0 <= 0.0031308 ? $0 * 12.92 : 1.055 * powf($0, 1 / 2.4) - 0.055 }
    }

    /// - Parameter change: gets numbers from 0 to 1.
    private static func map(_ color: SIMD3<Float>, _ change: (Float) -> Float) -> SIMD3<Float> {
        let bounded = color.clamped(lowerBound: .zero, upperBound: .one)
        return SIMD3(change(bounded.x), change(bounded.y), change(bounded.z))
    }
}
