#if LCMS
import CLCMS

extension MatrixShaper {
    /// What lcms2 reads out of a profile; `nil` for one that is more than curves and a matrix.
    init?(_ profile: cmsHPROFILE, to target: cmsHPROFILE, isWide: Bool) {
        let tables = [cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigDToB0Tag, cmsSigDToB1Tag]
        guard cmsGetColorSpace(profile) == cmsSigRgbData, cmsGetPCS(profile) == cmsSigXYZData,
            cmsIsMatrixShaper(profile) != 0, tables.allSatisfy({ cmsIsTag(profile, $0) == 0 }),
            let source = ColorMatrix(colorantsOf: profile), let inverse = ColorMatrix(colorantsOf: target)?.inverse
        else { return nil }
        let curves = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag].compactMap { tag in
            cmsReadTag(profile, tag).map { OpaquePointer($0) }
        }
        guard curves.count == 3 else { return nil }
        // Compared where it matters: three curves are nearly always written as one.
        let areAlike = stride(from: Float(0), through: 1, by: 1 / 255).allSatisfy { sample in
            let light = cmsEvalToneCurveFloat(curves[0], sample)
            return light == cmsEvalToneCurveFloat(curves[1], sample)
                && light == cmsEvalToneCurveFloat(curves[2], sample)
        }
        self.init(
            inverse * source, isWide: isWide,
            curves: curves.prefix(areAlike ? 1 : 3).map { curve in
                { Double(min(max(cmsEvalToneCurveFloat(curve, Float($0)), 0), 1)) }
            })
    }
}

extension ColorMatrix {
    /// From a profile's light to CIE XYZ under D50.
    fileprivate init?(colorantsOf profile: cmsHPROFILE) {
        let columns = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag].compactMap { tag in
            cmsReadTag(profile, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
        }
        guard columns.count == 3 else { return nil }
        self.init(columns.map(\.X) + columns.map(\.Y) + columns.map(\.Z))
        guard isInvertible else { return nil }
    }
}
#endif
