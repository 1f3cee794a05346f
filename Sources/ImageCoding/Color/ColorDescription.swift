/// What a file says about its colours: how the numbers of its pixels become light.
public enum ColorDescription: Hashable, Sendable {
    /// Nothing is said. Such a picture is taken as sRGB, as browsers do; its inks, if it has any, by a plain product.
    case unspecified
    /// sRGB (IEC 61966-2-1), whether by name or by a profile or numbers that mean the same.
    case sRGB
    /// An ICC profile.
    case icc(ICCProfile)
    /// Code points of ITU-T H.273, as AVIF's and HEIF's `nclx`, PNG's `cICP` and JPEG XL's own encoding give them.
    case codePoints(ColorCodePoints)
    /// A power curve and, where the file gives them, primaries: PNG's `gAMA` and `cHRM`.
    case calibrated(ColorCalibration)

    /// The light is meant for a display of high dynamic range: perceptual quantisation or hybrid log-gamma (ITU-R BT.2100).
    public var isHighDynamicRange: Bool {
        switch self {
        case .codePoints(let codes): codes.isHighDynamicRange
        case .icc(let profile): profile.codePoints?.isHighDynamicRange ?? false
        case .unspecified, .sRGB, .calibrated: false
        }
    }

    /// Shown as it stands, a pixel is right: nothing has to be converted.
    var isSRGB: Bool {
        switch self {
        case .unspecified, .sRGB: true
        case .icc(let profile): profile.isSRGB
        case .codePoints(let codes): codes.isSRGB
        case .calibrated(let calibration): calibration.isSRGB
        }
    }

    var isNamedByCodePoints: Bool {
        if case .codePoints = self { true } else { false }
    }

    /// The same with a name for what means sRGB, so that nobody keeps or compares a profile for nothing.
    var simplified: ColorDescription {
        switch self {
        case .icc(let profile) where profile.isSRGB: .sRGB
        case .codePoints(let codes) where codes.isSRGB: .sRGB
        case .calibrated(let calibration) where calibration.isSRGB: .sRGB
        default: self
        }
    }
}
