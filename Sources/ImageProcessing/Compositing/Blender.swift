/// Lays rows of pixels over others in one mode.
struct Blender {
    let mode: BlendMode
    var kernels = PixelKernels.native

    /// - Parameter step: 1, or 0 where one pixel is laid over all.
    func blend(
        _ source: UnsafePointer<Pixel>, step: Int = 1, over backdrop: UnsafeMutablePointer<Pixel>, count: Int
    ) {
        /// A function for all three colours. Each mode has a loop of its own, for the compiler to see through.
        @inline(__always) func combine(_ function: (_ backdrop: Pixel, _ source: Pixel) -> Pixel) {
            for x in 0..<count { backdrop[x] = Self.mix(source[x * step], backdrop[x], function) }
        }
        /// A function for one colour after the other.
        @inline(__always) func separate(_ function: (_ backdrop: Float, _ source: Float) -> Float) {
            combine { Pixel(function($0.x, $1.x), function($0.y, $1.y), function($0.z, $1.z), 1) }
        }
        switch mode {
        case .multiply: combine { $0 * $1 }
        case .screen: combine { $0 + $1 - $0 * $1 }
        case .overlay: separate { BlendFunctions.hardLight($1, $0) }
        case .darken: combine { pointwiseMin($0, $1) }
        case .lighten: combine { pointwiseMax($0, $1) }
        case .colorDodge: separate { $0 == 0 ? 0 : $1 >= 1 ? 1 : min(1, $0 / (1 - $1)) }
        case .colorBurn: separate { $0 >= 1 ? 1 : $1 <= 0 ? 0 : 1 - min(1, (1 - $0) / $1) }
        case .hardLight: separate { BlendFunctions.hardLight($0, $1) }
        case .softLight: separate { BlendFunctions.softLight($0, $1) }
        case .difference: combine { pointwiseMax($0 - $1, $1 - $0) }
        case .exclusion: combine { $0 + $1 - 2 * $0 * $1 }
        case .hue: combine { BlendFunctions.hue($0, $1) }
        case .saturation: combine { BlendFunctions.saturation($0, $1) }
        case .color: combine { BlendFunctions.color($0, $1) }
        case .luminosity: combine { BlendFunctions.color($1, $0) }
        default: kernels.compose(source, step: step, over: backdrop, count: count, by: mode.porterDuff)
        }
    }

    /// The formula of §10 with multiplied colours: each keeps its part outside the other, and where they meet it is the
    /// function's.
    @inline(__always)
    private static func mix(_ source: Pixel, _ backdrop: Pixel, _ function: (Pixel, Pixel) -> Pixel) -> Pixel {
        let both = source.w * backdrop.w
        var result = source * (1 - backdrop.w) + backdrop * (1 - source.w)
        if both > 0 { result += function(straight(backdrop), straight(source)) * both }
        result.w = source.w + backdrop.w - both
        return result
    }

    @inline(__always)
    private static func straight(_ pixel: Pixel) -> Pixel {
        (pixel / pixel.w).clamped(lowerBound: .zero, upperBound: .one)
    }
}
