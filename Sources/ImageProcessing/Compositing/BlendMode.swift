/// How a source, a colour or a picture, is laid over a backdrop: the operators and the blending modes of W3C's
/// "Compositing and Blending Level 1".
///
/// All work on stored values: colours are not made linear. ``plus`` and the operators of Porter and Duff take colours of any
/// size; the blending modes clamp them to 0…1 first.
public enum BlendMode: String, Hashable, Sendable, CaseIterable {
    // Porter and Duff's operators, §9.1.
    /// Nothing of either.
    case clear
    /// The source alone, transparent where it is.
    case source
    /// The backdrop alone.
    case destination
    /// The source over the backdrop.
    case sourceOver
    /// The backdrop over the source.
    case destinationOver
    /// The source where the backdrop is.
    case sourceIn
    /// The backdrop where the source is.
    case destinationIn
    /// The source where the backdrop is not.
    case sourceOut
    /// The backdrop where the source is not.
    case destinationOut
    /// The source over the backdrop, only where the backdrop is.
    case sourceAtop
    /// The backdrop over the source, only where the source is.
    case destinationAtop
    /// Each where the other is not.
    case xor
    /// The sum of both, called `lighter` there.
    case plus

    // Separable blending modes, §10.1.
    case multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight, difference, exclusion

    // Modes that look at all three colours, §10.2.
    case hue, saturation, color, luminosity

    /// An opaque backdrop stays opaque.
    func keepsOpacity(sourceIsOpaque: Bool) -> Bool {
        switch self {
        case .clear, .sourceOut, .destinationOut, .xor: false
        case .source, .sourceIn, .destinationIn, .destinationAtop: sourceIsOpaque
        default: true
        }
    }
}

/// The weights of source and backdrop as Porter and Duff have them: a constant and a part that goes with the other's
/// alpha.
struct PorterDuff: Sendable {
    var source: Float
    var sourceByBackdrop: Float
    var backdrop: Float
    var backdropBySource: Float

    @inline(__always)
    func compose(_ pixel: Pixel, over below: Pixel) -> Pixel {
        var result = pixel * (source + sourceByBackdrop * below.w) + below * (backdrop + backdropBySource * pixel.w)
        result.w = min(result.w, 1)
        return result
    }
}

extension BlendMode {
    /// The weights of an operator. Blending modes, which have a function of their own, have those of ``sourceOver`` beside it.
    var porterDuff: PorterDuff {
        func weights(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> PorterDuff {
            PorterDuff(source: a, sourceByBackdrop: b, backdrop: c, backdropBySource: d)
        }
        switch self {
        case .clear: return weights(0, 0, 0, 0)
        case .source: return weights(1, 0, 0, 0)
        case .destination: return weights(0, 0, 1, 0)
        case .destinationOver: return weights(1, -1, 1, 0)
        case .sourceIn: return weights(0, 1, 0, 0)
        case .destinationIn: return weights(0, 0, 0, 1)
        case .sourceOut: return weights(1, -1, 0, 0)
        case .destinationOut: return weights(0, 0, 1, -1)
        case .sourceAtop: return weights(0, 1, 1, -1)
        case .destinationAtop: return weights(1, -1, 0, 1)
        case .xor: return weights(1, -1, 1, -1)
        case .plus: return weights(1, 0, 1, 0)
        default: return weights(1, 0, 1, -1)
        }
    }
}
