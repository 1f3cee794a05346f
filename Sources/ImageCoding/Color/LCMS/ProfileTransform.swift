#if LCMS
import CLCMS
import Pixels

/// One conversion to sRGB: perceptual intent with black point compensation.
// Unchecked: lcms2 only reads a transform that was made without its one-pixel cache, from any thread.
final class ProfileTransform: @unchecked Sendable {
    private enum Engine {
        /// Curves and a matrix; lcms2 only read them.
        case shaper(MatrixShaper)
        case library(cmsHTRANSFORM)
    }

    private let engine: Engine
    private let source: SampleLayout
    private let component: PixelFormat.Component

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
        self.source = source
        self.component = component
        let isWide = source.component == .uint16
        let hasTables = (source.channels == .rgba || source.channels == .rgbx) && source.component != .float32
        if hasTables, let shaper = MatrixShaper(profile, to: target, isWide: isWide) {
            engine = .shaper(shaper)
            return
        }
        var flags = UInt32(cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION)
        // What lcms2 makes of 16 bits for speed is too coarse for them.
        if isWide { flags |= UInt32(cmsFLAGS_NOOPTIMIZE) }
        // In place alpha stands where it belongs already, and copying it would take half as long as all the rest.
        if source.hasAlpha, !source.fits(component) { flags |= UInt32(cmsFLAGS_COPY_ALPHA) }
        let layout = SampleLayout(channels: .rgba, component: component)
        let transform = cmsCreateTransform(
            profile, source.lcms, target, layout.lcms, UInt32(INTENT_PERCEPTUAL), flags)
        guard let transform else { return nil }
        engine = .library(transform)
    }

    deinit {
        if case .library(let handle) = engine { cmsDeleteTransform(handle) }
    }

    /// The same memory may be source and target where ``SampleLayout/fits(_:)`` says so.
    func convert(_ pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        switch engine {
        case .shaper(let shaper) where source.component == .uint8: shaper.convert8(pixels, into: target, count: count)
        case .shaper(let shaper): shaper.convert16(pixels, into: target, component: component, count: count)
        case .library(let handle): convert(pixels, into: target, count: count, by: handle)
        }
    }

    private func convert(
        _ pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int, by handle: cmsHTRANSFORM
    ) {
        var pixels = pixels
        if source.hasAlpha, source.fits(component), target != pixels {
            target.copyMemory(from: pixels, byteCount: count * source.bytesPerPixel)
            pixels = UnsafeRawPointer(target)
        }
        cmsDoTransform(handle, pixels, target, UInt32(clamping: count))
        if !source.hasAlpha { setOpaque(target, count: count) }
    }

    private func setOpaque(_ target: UnsafeMutableRawPointer, count: Int) {
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
