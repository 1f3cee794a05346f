#if PDF
import CPoppler
public import Pixels
import Synchronization

/// Draws the first page of a PDF through poppler, on white paper, at the wanted size.
///
/// Without a minimum size one point is one pixel: 72 for an inch. With one the page is drawn exactly as large as needed to
/// cover it. Documents that need a password are refused. Poppler does not promise that two threads may use it at once, so
/// one PDF is drawn at a time. A request to stop, and the limit on time, are heard while others draw and before each shape or group that
/// is drawn on the page itself.
public struct PDFDecoder: ImageDecoder {
    /// Held by whoever is inside poppler.
    private static let turn = Mutex(())

    public init() {}

    public var library: CodecLibrary {
        CodecLibrary(name: "poppler", version: poppler_get_version().map { String(cString: $0) } ?? "")
    }

    public var decodableFormats: [ImageFormat] { [.pdf] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        try Self.turn.withLock { _ throws(CodingError) in
            let page = try PDFPage(bytes)
            return ImageInfo(format: .pdf, storedSize: page.size, hasAlpha: false, frameCount: page.count)
        }
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        try Self.turn.withLock { _ in
            try options.checkCancellation()
            let page = try PDFPage(bytes)
            let size = page.size.vector(covering: options.minimumSize)
            try options.limits.check(size, format: .pdf)
            try sink.deliverWhole(RowHeader(size: size, format: .rgbx8), options: options) { frame in
                try CairoCanvas.draw(on: frame, size: size, format: .pdf, options: options) { cairo in
                    page.draw(size, on: cairo)
                }
            }
        }
    }
}

/// The first page of a document.
private struct PDFPage: ~Copyable {
    private let document: OpaquePointer
    private let page: OpaquePointer
    private let points: (width: Double, height: Double)
    let size: PixelSize
    /// How many pages the document has.
    let count: Int

    init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
        // Poppler keeps a reference, not longer than the document lives.
        let data = g_bytes_new_static(bytes.baseAddress, gsize(bytes.count))
        defer { g_bytes_unref(data) }
        var error: UnsafeMutablePointer<GError>?
        guard let document = poppler_document_new_from_bytes(data, nil, &error) else {
            throw CodingError(.malformed, "The PDF cannot be read: \(GLibError.take(error)).", format: .pdf)
        }
        guard let page = poppler_document_get_page(document, 0) else {
            g_object_unref(UnsafeMutableRawPointer(document))
            throw CodingError(.malformed, "The PDF has no page.", format: .pdf)
        }
        self.document = document
        self.page = page
        var points = (width: 0.0, height: 0.0)
        poppler_page_get_size(page, &points.width, &points.height)
        self.points = points
        size = PixelSize(roundingUp: points.width, points.height)
        count = Int(poppler_document_get_n_pages(document))
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(page))
        g_object_unref(UnsafeMutableRawPointer(document))
    }

    func draw(_ size: PixelSize, on cairo: OpaquePointer) {
        cairo_set_source_rgb(cairo, 1, 1, 1)
        cairo_paint(cairo)
        // Where a side was rounded up, the paper is a little larger than the page.
        let scale = min(Double(size.width) / points.width, Double(size.height) / points.height)
        cairo_scale(cairo, scale, scale)
        poppler_page_render(page, cairo)
    }
}
#endif
