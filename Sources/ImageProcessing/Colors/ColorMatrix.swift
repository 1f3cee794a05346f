#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Each channel of a pixel made anew from all four and a constant, on colours that are not multiplied by alpha, 1 being
/// white, as stored: colours are not made linear.
///
/// The matrices of the effects are those of W3C's "Filter Effects Module Level 1", §9 and §13.
public struct ColorMatrix: Hashable, Sendable {
    /// What red, green, blue and alpha count for the new red.
    public var red: SIMD4<Float>
    public var green: SIMD4<Float>
    public var blue: SIMD4<Float>
    public var alpha: SIMD4<Float>
    /// What is added to each channel.
    public var offset: SIMD4<Float>

    /// - Parameters:
    ///   - red: what red, green, blue and alpha count for the new red; so for the others. All numbers -1,000 to 1,000.
    ///   - green: default: it stays.
    ///   - blue: default: it stays.
    ///   - alpha: default: it stays.
    ///   - offset: what is added. Default nothing.
    public init(
        red: SIMD4<Float> = SIMD4(1, 0, 0, 0), green: SIMD4<Float> = SIMD4(0, 1, 0, 0),
        blue: SIMD4<Float> = SIMD4(0, 0, 1, 0), alpha: SIMD4<Float> = SIMD4(0, 0, 0, 1),
        offset: SIMD4<Float> = .zero
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
        self.offset = offset
    }

    /// Changes nothing.
    public static let identity = ColorMatrix()

    /// Grey of the same brightness.
    public static let grayscale = saturation(0)

    /// 0 is grey, 1 as it is; above, colours are stronger.
    public static func saturation(_ amount: Float) -> ColorMatrix {
        let weights = SIMD4<Float>(0.2126, 0.7152, 0.0722, 0) * (1 - amount)
        return ColorMatrix(
            red: weights + SIMD4(amount, 0, 0, 0), green: weights + SIMD4(0, amount, 0, 0),
            blue: weights + SIMD4(0, 0, amount, 0))
    }

    /// The brown of old photographs: 0 is as it is, 1 all brown.
    public static func sepia(_ amount: Float = 1) -> ColorMatrix {
        let rest = 1 - amount
        func row(_ full: SIMD4<Float>, _ own: SIMD4<Float>) -> SIMD4<Float> { full * amount + own * rest }
        return ColorMatrix(
            red: row(SIMD4(0.393, 0.769, 0.189, 0), SIMD4(1, 0, 0, 0)),
            green: row(SIMD4(0.349, 0.686, 0.168, 0), SIMD4(0, 1, 0, 0)),
            blue: row(SIMD4(0.272, 0.534, 0.131, 0), SIMD4(0, 0, 1, 0)))
    }

    /// All colours times a factor: 0 is black, 1 as it is.
    public static func brightness(_ factor: Float) -> ColorMatrix {
        ColorMatrix(
            red: SIMD4(factor, 0, 0, 0), green: SIMD4(0, factor, 0, 0), blue: SIMD4(0, 0, factor, 0))
    }

    /// The distance from the middle grey times a factor: 0 is grey, 1 as it is.
    public static func contrast(_ factor: Float) -> ColorMatrix {
        var matrix = brightness(factor)
        let rest = (1 - factor) / 2
        matrix.offset = SIMD4(rest, rest, rest, 0)
        return matrix
    }

    /// Each colour's opposite: 0 is as it is, 1 the opposite, between them towards grey.
    public static func inverted(_ amount: Float = 1) -> ColorMatrix {
        var matrix = brightness(1 - 2 * amount)
        matrix.offset = SIMD4(amount, amount, amount, 0)
        return matrix
    }

    /// Colours turned about the grey axis.
    public static func hueRotation(degrees: Double) -> ColorMatrix {
        let angle = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
        let (cosine, sine) = (Float(cos(angle)), Float(sin(angle)))
        let gray = SIMD4<Float>(0.213, 0.715, 0.072, 0)
        return ColorMatrix(
            red: gray + cosine * (SIMD4(1, 0, 0, 0) - gray) + sine * SIMD4(-0.213, -0.715, 0.928, 0),
            green: gray + cosine * (SIMD4(0, 1, 0, 0) - gray) + sine * SIMD4(0.143, 0.140, -0.283, 0),
            blue: gray + cosine * (SIMD4(0, 0, 1, 0) - gray) + sine * SIMD4(-0.787, 0.715, 0.072, 0))
    }

    /// The largest number that is taken.
    static let largestNumber: Float = 1_000

    var numbers: [Float] {
        [red, green, blue, alpha, offset].flatMap { [$0.x, $0.y, $0.z, $0.w] }
    }

    /// Alpha stays what it is.
    var keepsAlpha: Bool { alpha == Self.identity.alpha && offset.w == 0 }

    /// What is grey stays grey, but for what rounding makes.
    var keepsGray: Bool {
        let rows = [red, green, blue].map { SIMD2($0.x + $0.y + $0.z, $0.w) }
        let constants = [offset.x, offset.y, offset.z]
        func isSame(_ left: Float, _ right: Float) -> Bool { abs(left - right) <= 1e-5 }
        return (1...2).allSatisfy {
            isSame(rows[0].x, rows[$0].x) && isSame(rows[0].y, rows[$0].y) && isSame(constants[0], constants[$0])
        }
    }
}
