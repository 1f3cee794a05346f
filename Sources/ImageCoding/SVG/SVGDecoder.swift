#if SVG
import CRSVG
public import Pixels

/// Draws SVG through librsvg, at the wanted size.
///
/// Without a minimum size the document's own pixels are drawn, at 96 for an inch; with one it is drawn exactly as large as
/// needed to cover it, larger than its own size too. Nothing outside the document is loaded: it has no address that
/// anything could be relative to, and librsvg itself knows no scripts and no network. The library's limits on elements and
/// entities stay on. A request to stop, and the limit on time, are heard before each shape or group that is drawn on the
/// picture itself; one within a translucent group ends when the group is done.
public struct SVGDecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary {
        CodecLibrary(name: "librsvg", version: "\(rsvg_major_version).\(rsvg_minor_version).\(rsvg_micro_version)")
    }

    public var decodableFormats: [ImageFormat] { [.svg] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        ImageInfo(format: .svg, storedSize: try SVGDocument(bytes).size, hasAlpha: true)
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let document = try SVGDocument(bytes)
        let size = document.size.vector(covering: options.minimumSize)
        try options.limits.check(size, format: .svg)
        try options.checkCancellation()
        try sink.deliverWhole(RowHeader(size: size, format: .rgba8), options: options) { frame in
            try CairoCanvas.draw(on: frame, .clear, size: size, format: .svg, options: options) {
                cairo throws(CodingError) in
                try document.draw(size, on: cairo)
            }
        }
    }
}

/// A parsed document.
private struct SVGDocument: ~Copyable {
    /// CSS's size for what has none (CSS 2.2 §10.3.2).
    private static let defaultSize = (width: 300.0, height: 150.0)

    private let handle: UnsafeMutablePointer<RsvgHandle>
    let size: PixelSize

    init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
        var error: UnsafeMutablePointer<GError>?
        guard
            let handle = rsvg_handle_new_from_data(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), gsize(bytes.count), &error)
        else {
            throw CodingError(.malformed, "The SVG cannot be read: \(GLibError.take(error)).", format: .svg)
        }
        rsvg_handle_set_dpi(handle, 96)
        self.handle = handle
        size = Self.size(of: handle)
    }

    deinit { g_object_unref(handle) }

    private static func size(of handle: UnsafeMutablePointer<RsvgHandle>) -> PixelSize {
        var (width, height) = (0.0, 0.0)
        if rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) == 0 {
            var (hasWidth, hasHeight, hasViewBox): (gboolean, gboolean, gboolean) = (0, 0, 0)
            var (length, otherLength, viewBox) = (RsvgLength(), RsvgLength(), RsvgRectangle())
            rsvg_handle_get_intrinsic_dimensions(
                handle, &hasWidth, &length, &hasHeight, &otherLength, &hasViewBox, &viewBox)
            (width, height) = hasViewBox != 0 ? (viewBox.width, viewBox.height) : defaultSize
        }
        return PixelSize(roundingUp: width, height)
    }

    func draw(_ size: PixelSize, on cairo: OpaquePointer) throws(CodingError) {
        var viewport = RsvgRectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        var error: UnsafeMutablePointer<GError>?
        guard rsvg_handle_render_document(handle, cairo, &viewport, &error) != 0 else {
            throw CodingError(.malformed, "The SVG cannot be drawn: \(GLibError.take(error)).", format: .svg)
        }
    }
}
#endif
