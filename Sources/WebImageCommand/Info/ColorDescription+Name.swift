import WebImage

extension ColorDescription {
    /// A few words for people: `sRGB`, `Display P3`, `BT.2020 PQ`, `gamma 2.2`.
    var name: String {
        switch self {
        case .unspecified: "unspecified"
        case .sRGB: "sRGB"
        case .icc(let profile): profile.isSRGB ? "sRGB" : profile.name ?? profile.codePoints?.name ?? "ICC profile"
        case .codePoints(let codes): codes.name
        case .calibrated(let calibration):
            "gamma \(Figures.hundredths(calibration.gamma))"
                + (calibration.chromaticities == nil ? "" : ", own primaries")
        }
    }
}

extension ColorCodePoints {
    /// The usual name of the pair; numbers where there is none (ITU-T H.273, tables 2 and 3).
    fileprivate var name: String {
        let space =
            switch primaries {
            case 1, 2: "BT.709"
            case 9: "BT.2020"
            case 12: "Display P3"
            default: "primaries \(primaries)"
            }
        switch transfer {
        case 2, 13: return space == "BT.709" ? "sRGB" : space
        case 16: return "\(space) PQ"
        case 18: return "\(space) HLG"
        case 8: return "\(space) linear"
        case 1, 6, 14, 15: return space
        default: return "\(space), transfer \(transfer)"
        }
    }
}
