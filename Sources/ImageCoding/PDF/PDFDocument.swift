#if PDF
import CPoppler
import Pixels

/// A document as poppler reads it. The bytes have to outlive it; used, and let go of, only with `PDFDecoder.turn` held.
struct PDFDocument: ~Copyable {
    private let document: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
        // Poppler keeps a reference, not longer than the document lives.
        let data = g_bytes_new_static(bytes.baseAddress, gsize(bytes.count))
        defer { g_bytes_unref(data) }
        var error: UnsafeMutablePointer<GError>?
        guard let document = poppler_document_new_from_bytes(data, nil, &error) else {
            throw CodingError(.malformed, "The PDF cannot be read: \(GLibError.take(error)).", format: .pdf)
        }
        self.document = document
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(document)) }

    var pageCount: Int { Int(poppler_document_get_n_pages(document)) }

    /// - Parameter index: from 0.
    func page(_ index: Int) throws(CodingError) -> PDFPage {
        guard let page = poppler_document_get_page(document, Int32(clamping: index)) else {
            let message = index == 0 ? "The PDF has no page." : "The PDF's page \(index + 1) cannot be read."
            throw CodingError(.malformed, message, format: .pdf)
        }
        return PDFPage(page)
    }
}

/// One page of a document, which it keeps alive.
struct PDFPage: ~Copyable {
    private let page: OpaquePointer
    /// The sides in points, of which 72 make an inch.
    let points: (width: Double, height: Double)

    fileprivate init(_ page: OpaquePointer) {
        self.page = page
        var points = (width: 0.0, height: 0.0)
        poppler_page_get_size(page, &points.width, &points.height)
        self.points = points
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(page)) }

    /// With one pixel for a point.
    var size: PixelSize { PixelSize(roundingUp: points.width, points.height) }

    func draw(_ size: PixelSize, on cairo: OpaquePointer) {
        // Where a side was rounded up, the paper is a little larger than the page.
        let scale = min(Double(size.width) / points.width, Double(size.height) / points.height)
        cairo_scale(cairo, scale, scale)
        poppler_page_render(page, cairo)
    }
}
#endif
