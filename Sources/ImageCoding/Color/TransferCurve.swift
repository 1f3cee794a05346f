#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How a sample from 0 to 1 becomes light: a power, with a straight piece near black where `linearBelow` is above zero.
///
/// Below that sample light is `slope × sample`, from there `(scale × sample + offset)^gamma`.
struct TransferCurve: Hashable, Sendable {
    var gamma: Double
    var scale = 1.0
    var offset = 0.0
    var slope = 0.0
    var linearBelow = 0.0

    /// IEC 61966-2-1.
    static let sRGB = TransferCurve(
        gamma: 2.4, scale: 1 / 1.055, offset: 0.055 / 1.055, slope: 1 / 12.92, linearBelow: 0.04045)

    init(gamma: Double, scale: Double = 1, offset: Double = 0, slope: Double = 0, linearBelow: Double = 0) {
        self.gamma = gamma
        self.scale = scale
        self.offset = offset
        self.slope = slope
        self.linearBelow = linearBelow
    }

    /// The curve of a code point (H.273 table 3); `nil` for PQ, HLG, the logarithmic ones, and numbers without a meaning.
    ///
    /// BT.709, BT.601 and BT.2020 define cameras, not displays. Pictures marked with them were judged on displays of
    /// sRGB and are shown there as they are, by browsers too.
    init?(_ codePoint: UInt8) {
        switch codePoint {
        case 1, 6, 13, 14, 15: self = .sRGB
        case 4: self.init(gamma: 2.2)
        case 5: self.init(gamma: 2.8)
        case 7:
            self.init(
                gamma: 1 / 0.45, scale: 1 / 1.1115, offset: 0.1115 / 1.1115, slope: 1 / 4, linearBelow: 4 * 0.0228)
        case 8: self.init(gamma: 1)
        // 52.37 / 48 brings the cinema's white, 48 cd/m², to one.
        case 17: self.init(gamma: 2.6, scale: pow(52.37 / 48, 1 / 2.6))
        default: return nil
        }
    }

    /// The light of a sample.
    func light(_ sample: Double) -> Double {
        sample < linearBelow ? slope * sample : pow(max(0, scale * sample + offset), gamma)
    }

    /// The sample of a light, both from 0 to 1.
    func sample(_ light: Double) -> Double {
        light < slope * linearBelow ? light / slope : (pow(light, 1 / gamma) - offset) / scale
    }
}
