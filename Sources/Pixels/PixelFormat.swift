/// How the bytes of one pixel are to be read.
///
/// Decoders make ``rgba8`` and ``rgbx8``, and the formats of 16 bits and floats when they are asked to keep a file's depth.
/// Code that takes a bitmap has to say which formats it handles.
public struct PixelFormat: Hashable, Sendable {
    /// The colour channels of a pixel, in the order of their bytes.
    public enum Channels: UInt8, Hashable, Sendable {
        case gray = 1
        case grayAlpha = 2
        case rgb = 3
        case rgba = 4
    }

    /// The number type of one channel, in the machine's byte order.
    public enum Component: UInt8, Hashable, Sendable {
        case uint8 = 1
        case uint16 = 2
        case float32 = 4

        public var byteCount: Int { Int(rawValue) }
    }

    /// What the alpha channel says.
    public enum Alpha: UInt8, Hashable, Sendable {
        /// There is no alpha channel, or its bytes are all opaque.
        case opaque
        /// Colours are stored multiplied by alpha.
        case premultiplied
        /// Colours are stored as they are.
        case straight
    }

    public let channels: Channels
    public let component: Component
    public let alpha: Alpha

    public init(channels: Channels, component: Component, alpha: Alpha) {
        self.channels = channels
        self.component = component
        self.alpha = alpha
    }

    /// Red, green, blue, alpha; 8 bits each; colours multiplied by alpha.
    public static let rgba8 = PixelFormat(channels: .rgba, component: .uint8, alpha: .premultiplied)

    /// Red, green, blue and a byte that is always 255: a picture without transparency in the layout of ``rgba8``.
    public static let rgbx8 = PixelFormat(channels: .rgba, component: .uint8, alpha: .opaque)

    /// Red, green, blue, alpha; 16 bits each; colours multiplied by alpha.
    public static let rgba16 = PixelFormat(channels: .rgba, component: .uint16, alpha: .premultiplied)

    /// ``rgba16`` without transparency: the fourth number is always 65,535.
    public static let rgbx16 = PixelFormat(channels: .rgba, component: .uint16, alpha: .opaque)

    /// Red, green, blue, alpha as floats, 1 being white; values outside 0…1 are allowed. Colours are multiplied by alpha.
    public static let rgbaFloat = PixelFormat(channels: .rgba, component: .float32, alpha: .premultiplied)

    /// ``rgbaFloat`` without transparency: the fourth number is always 1.
    public static let rgbxFloat = PixelFormat(channels: .rgba, component: .float32, alpha: .opaque)

    public var bytesPerPixel: Int { Int(channels.rawValue) * component.byteCount }

    public var isOpaque: Bool { alpha == .opaque }
}

extension PixelFormat {
    /// A format of the same number type that holds more: transparency, colour, or both, where this one does not.
    package func widened(alpha needsAlpha: Bool, color needsColor: Bool) -> PixelFormat {
        let hasAlpha = needsAlpha || alpha != .opaque
        let hasColor = needsColor || channels == .rgb || channels == .rgba
        guard hasAlpha != (alpha != .opaque) || hasColor != (channels == .rgb || channels == .rgba) else { return self }
        let kept: Channels =
            switch (hasColor, hasAlpha) {
            case (false, false): .gray
            case (false, true): .grayAlpha
            case (true, false): channels == .grayAlpha || channels == .rgba ? .rgba : .rgb
            case (true, true): .rgba
            }
        return PixelFormat(
            channels: kept, component: component,
            alpha: hasAlpha ? (alpha == .opaque ? .premultiplied : alpha) : .opaque)
    }
}
