/// The blending functions B(backdrop, source) of "Compositing and Blending Level 1", §10, on straight colours from 0 to 1.
enum BlendFunctions {
    @inline(__always)
    static func hardLight(_ backdrop: Float, _ source: Float) -> Float {
        let doubled = 2 * source
        return doubled <= 1 ? backdrop * doubled : backdrop + (doubled - 1) - backdrop * (doubled - 1)
    }

    @inline(__always)
    static func softLight(_ backdrop: Float, _ source: Float) -> Float {
        if source <= 0.5 { return backdrop - (1 - 2 * source) * backdrop * (1 - backdrop) }
        let lifted =
            backdrop <= 0.25 ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : backdrop.squareRoot()
        return backdrop + (2 * source - 1) * (lifted - backdrop)
    }

    static func hue(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        setLuminosity(setSaturation(source, saturation(backdrop)), luminosity(backdrop))
    }

    static func saturation(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        setLuminosity(setSaturation(backdrop, saturation(source)), luminosity(backdrop))
    }

    static func color(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        setLuminosity(source, luminosity(backdrop))
    }

    private static func luminosity(_ color: Pixel) -> Float { 0.3 * color.x + 0.59 * color.y + 0.11 * color.z }

    private static func saturation(_ color: Pixel) -> Float {
        max(color.x, color.y, color.z) - min(color.x, color.y, color.z)
    }

    /// The colour moved to a luminosity, and towards its grey where it would leave 0…1.
    private static func setLuminosity(_ color: Pixel, _ wanted: Float) -> Pixel {
        let moved = color + (wanted - luminosity(color))
        let gray = luminosity(moved)
        let (least, most) = (min(moved.x, moved.y, moved.z), max(moved.x, moved.y, moved.z))
        var result = moved
        if least < 0 { result = gray + (result - gray) * (gray / (gray - least)) }
        if most > 1 { result = gray + (result - gray) * ((1 - gray) / (most - gray)) }
        return result
    }

    /// The colour stretched so that its least channel is 0 and its largest `wanted`.
    private static func setSaturation(_ color: Pixel, _ wanted: Float) -> Pixel {
        let least = min(color.x, color.y, color.z)
        let spread = max(color.x, color.y, color.z) - least
        return spread > 0 ? (color - least) * (wanted / spread) : .zero
    }
}
