#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How the samples around a point make the new sample. On reduction a filter is stretched to cover every source pixel.
public enum ResampleFilter: Hashable, Sendable {
    /// The mean of the pixels that a new pixel covers. Fast, a little blocky; nearest neighbour when enlarging.
    case box
    /// Weights that fall linearly with the distance; bilinear when enlarging.
    case triangle
    /// The cubic of Mitchell and Netravali with B = C = 1/3 ("Reconstruction Filters in Computer Graphics", 1988): soft,
    /// hardly any ringing.
    case mitchell
    /// A sinc windowed by a wider sinc, three lobes on each side: the sharpest, with slight ringing at hard edges.
    case lanczos3

    /// The distance, in samples, from which on all weights are zero.
    var support: Double {
        switch self {
        case .box: 0.5
        case .triangle: 1
        case .mitchell: 2
        case .lanczos3: 3
        }
    }

    /// The weight at a distance, before normalisation.
    func weight(at distance: Double) -> Double {
        let x = abs(distance)
        switch self {
        case .box:
            // Half open, so that a sample on the border of two new pixels counts for one of them.
            return distance > -0.5 && distance <= 0.5 ? 1 : 0
        case .triangle:
            return max(0, 1 - x)
        case .mitchell:
            if x < 1 { return (7 * x * x * x - 12 * x * x + 16.0 / 3) / 6 }
            if x < 2 { return (-7.0 / 3 * x * x * x + 12 * x * x - 20 * x + 32.0 / 3) / 6 }
            return 0
        case .lanczos3:
            return x < 3 ? Self.sinc(x) * Self.sinc(x / 3) : 0
        }
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}
