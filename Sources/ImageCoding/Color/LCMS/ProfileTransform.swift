#if LCMS
import CLCMS
import Pixels

/// One conversion to sRGB by lcms2: perceptual intent with black point compensation.
// Unchecked: lcms2 only reads a transform that was made without its one-pixel cache, from any thread.
final class ProfileTransform: @unchecked Sendable {
    private let handle: cmsHTRANSFORM
    private let component: PixelFormat.Component
    /// The library copies the fourth channel; else it is left alone and has to be set.
    private let copiesAlpha: Bool

    /// `nil` when lcms2 cannot make sense of the colours.
    ///
    /// - Parameters:
    ///   - source: how pixels come.
    ///   - component: how they go: red, green, blue and alpha of this.
    init?(_ description: ColorDescription, _ source: SampleLayout, _ component: PixelFormat.Component) {
        guard let profile = description.openProfile() else { return nil }
        defer { cmsCloseProfile(profile) }
        guard let target = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(target) }
        self.component = component
        copiesAlpha = source.fourthChannelSaysNoColor
        let flags = UInt32(cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION) | (copiesAlpha ? Self.copyAlpha : 0)
        let layout = SampleLayout(channels: .rgba, component: component)
        let transform = cmsCreateTransform(
            profile, source.lcms, target, layout.lcms, UInt32(INTENT_PERCEPTUAL), flags)
        guard let transform else { return nil }
        handle = transform
    }

    private static let copyAlpha: UInt32 = 0x0400_0000

    deinit { cmsDeleteTransform(handle) }

    /// The same memory may be source and target where pixels have the same size.
    func convert(_ pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        cmsDoTransform(handle, pixels, target, UInt32(truncatingIfNeeded: count))
        guard !copiesAlpha else { return }
        let size = component.byteCount
        for place in stride(from: 3 * size, to: 4 * size * count, by: 4 * size) {
            switch component {
            case .uint8: target.storeBytes(of: .max, toByteOffset: place, as: UInt8.self)
            case .uint16: target.storeBytes(of: .max, toByteOffset: place, as: UInt16.self)
            case .float32: target.storeBytes(of: 1, toByteOffset: place, as: Float.self)
            }
        }
    }
}

extension SampleLayout {
    fileprivate var fourthChannelSaysNoColor: Bool { channels == .rgba || channels == .rgbx || channels == .grayAlpha }

    fileprivate var lcms: UInt32 {
        let (space, colors): (Int, Int32) =
            switch channels {
            case .gray, .grayAlpha: (CLCMS_GRAY, 1)
            case .rgb, .rgbx, .rgba: (CLCMS_RGB, 3)
            case .inks, .invertedInks: (CLCMS_CMYK, 4)
            }
        return clcms_layout(
            Int32(space), colors, Int32(channels.count) - colors, Int32(component.byteCount),
            component == .float32 ? 1 : 0, channels == .invertedInks ? 1 : 0)
    }
}
#endif
