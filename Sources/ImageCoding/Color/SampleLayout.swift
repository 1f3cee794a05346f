import Pixels

/// How a decoder's library lays out one pixel, before it is what a bitmap holds. Alpha is straight.
struct SampleLayout: Hashable, Sendable {
    enum Channels: Hashable, Sendable {
        case gray
        case grayAlpha
        case rgb
        /// The fourth channel says nothing.
        case rgbx
        case rgba
        /// Inks: full means no ink, as Adobe's JPEG files have them.
        case invertedInks
        /// Inks: full means full ink, as TIFF files have them.
        case inks

        var count: Int {
            switch self {
            case .gray: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgbx, .rgba, .invertedInks, .inks: 4
            }
        }
    }

    var channels: Channels
    /// Whole numbers use all their values: a 10-bit sample is scaled to 16 bits by the decoder.
    var component: PixelFormat.Component

    static let rgba8 = SampleLayout(channels: .rgba, component: .uint8)
    static let rgbx8 = SampleLayout(channels: .rgbx, component: .uint8)
    static let rgba16 = SampleLayout(channels: .rgba, component: .uint16)
    static let rgbx16 = SampleLayout(channels: .rgbx, component: .uint16)

    var bytesPerPixel: Int { channels.count * component.byteCount }

    /// A pixel has its place and its alpha where four channels of `component` have theirs.
    func fits(_ component: PixelFormat.Component) -> Bool { channels.count == 4 && self.component == component }

    var hasAlpha: Bool { channels == .grayAlpha || channels == .rgba }

    var isInk: Bool { channels == .inks || channels == .invertedInks }

    var isGray: Bool { channels == .gray || channels == .grayAlpha }
}
