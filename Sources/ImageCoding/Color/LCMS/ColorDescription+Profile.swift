#if LCMS
import ByteBuffers
import CLCMS

extension ColorDescription {
    /// The colours as a profile of lcms2's, which the caller closes; `nil` where there is none or it is broken.
    func openProfile() -> cmsHPROFILE? {
        switch self {
        case .unspecified: nil
        case .sRGB: cmsCreate_sRGBProfile()
        case .icc(let profile):
            // lcms2 takes a copy.
            profile.bytes.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, UInt32(clamping: $0.count)) }
        case .codePoints(let codes): codes.curve.flatMap { Self.profile(codes.chromaticities, $0) }
        case .calibrated(let calibration):
            Self.profile(calibration.chromaticities ?? .sRGB, TransferCurve(gamma: calibration.gamma))
        }
    }

    private static func profile(_ chromaticities: Chromaticities, _ curve: TransferCurve) -> cmsHPROFILE? {
        guard chromaticities.isUsable else { return nil }
        let parameters = [curve.gamma, curve.scale, curve.offset, curve.slope, curve.linearBelow]
        // Kind 4: a power with a straight piece before it.
        guard let curve = cmsBuildParametricToneCurve(nil, 4, parameters) else { return nil }
        defer { cmsFreeToneCurve(curve) }
        func place(_ point: Chromaticities.Point) -> cmsCIExyY { cmsCIExyY(x: point.x, y: point.y, Y: 1) }
        var white = place(chromaticities.white)
        var primaries = cmsCIExyYTRIPLE(
            Red: place(chromaticities.red), Green: place(chromaticities.green), Blue: place(chromaticities.blue))
        let curves: [OpaquePointer?] = [curve, curve, curve]
        return cmsCreateRGBProfile(&white, &primaries, curves)
    }
}
#endif
