import Pixels

/// Turns rows as a format's library makes them into rows as a bitmap holds them: four channels, the wanted depth, the
/// wanted colours, multiplied by alpha, in this order.
///
/// A decoder makes one for a picture, asks ``isIdentity`` first, so that a plain sRGB picture costs nothing, announces
/// ``format`` to its sink, and converts its rows. A value serves any number of threads.
///
/// A profile that cannot be used, because it is broken or describes another kind of pixels, is passed over: a picture in
/// nearly right colours is worth more than none, and ``ImageInfo/color`` still has the profile.
struct ColorTransform: Sendable {
    private enum Conversion: Sendable {
        /// Channels and depth alone.
        case layout
        #if LCMS
        /// Straight from the source's layout.
        case profile(ProfileTransform)
        /// In the target's layout, after the source's grey has become three channels.
        case profileAfterLayout(ProfileTransform)
        #endif
        case toneMapping(ToneMapping)
    }

    let source: SampleLayout
    /// What the converted rows are.
    let format: PixelFormat
    private let conversion: Conversion

    /// - Parameters:
    ///   - description: what the file says of its colours.
    ///   - source: what the rows will look like.
    ///   - options: whose colour and depth are wanted.
    init(from description: ColorDescription, layout source: SampleLayout, options: DecodeOptions) {
        self.source = source
        let component = options.depth == .asStored ? source.component : .uint8
        format = PixelFormat(
            channels: .rgba, component: component, alpha: source.hasAlpha ? .premultiplied : .opaque)
        conversion = Self.conversion(description, source, component, options.color)
    }

    private static func conversion(
        _ description: ColorDescription, _ source: SampleLayout, _ component: PixelFormat.Component,
        _ handling: ColorHandling
    ) -> Conversion {
        guard source.isInk || (handling == .sRGB && !description.isSRGB) else { return .layout }
        if !source.isInk, let mapping = ToneMapping(description) { return .toneMapping(mapping) }
        #if LCMS
        let space = description.space
        if space == .cmyk ? source.isInk : space == .gray ? source.isGray : space == .rgb && !source.isInk {
            let isSpread = space == .rgb && source.isGray
            let layout = isSpread ? SampleLayout(channels: .rgba, component: component) : source
            if let transform = TransformCache.shared.transform(description, layout, component) {
                return isSpread ? .profileAfterLayout(transform) : .profile(transform)
            }
        }
        #endif
        return .layout
    }

    /// The rows are what is wanted already, unless they have to be multiplied by alpha.
    var isIdentity: Bool {
        guard case .layout = conversion else { return false }
        return worksInPlace && !source.isInk
    }

    /// Converted rows may take the place of their sources.
    var worksInPlace: Bool { source.fits(format.component) }

    /// Converts `count` pixels.
    ///
    /// - Parameter target: other memory, or the same where ``worksInPlace``.
    func convert(_ pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        switch conversion {
        case .layout:
            if !(isIdentity && target == pixels) { spread(pixels, into: target, count: count) }
        #if LCMS
        case .profile(let transform):
            transform.convert(pixels, into: target, count: count)
        case .profileAfterLayout(let transform):
            spread(pixels, into: target, count: count)
            transform.convert(target, into: target, count: count)
        #endif
        case .toneMapping(let mapping):
            mapping.convert(pixels, layout: source, into: target, component: format.component, count: count)
        }
        if !format.isOpaque { Premultiplication.multiply(target, component: format.component, count: count) }
    }

    /// Converts the first rows of a strip into those of another.
    func convert(_ strip: RowStrip, into target: RowStrip, width: Int, rows: Int) {
        for row in 0..<rows {
            convert(strip.base + row * strip.bytesPerRow, into: target.base + row * target.bytesPerRow, count: width)
        }
    }

    /// Converts the first rows of a strip in place, which ``worksInPlace`` has to allow.
    func convert(_ strip: RowStrip, width: Int, rows: Int) {
        guard !isIdentity || !format.isOpaque else { return }
        convert(strip, into: strip, width: width, rows: rows)
    }

    /// Converts rows that lie in `room`, or in `target` itself when there is none.
    func finish(_ room: RowStrip?, into target: RowStrip, width: Int, rows: Int) {
        if let room {
            convert(room, into: target, width: width, rows: rows)
        } else {
            convert(target, width: width, rows: rows)
        }
    }

    private func spread(_ pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        SampleRows.spread(pixels, layout: source, into: target, component: format.component, count: count)
    }
}

extension ColorDescription {
    /// What kind of samples is described; grey samples are as well described by what describes three equal ones.
    fileprivate var space: ICCProfile.Space {
        switch self {
        case .icc(let profile): profile.space
        case .codePoints, .calibrated, .sRGB: .rgb
        case .unspecified: .other
        }
    }
}
