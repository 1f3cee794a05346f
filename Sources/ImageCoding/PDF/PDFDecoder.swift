#if PDF
import CPoppler
public import Pixels
import Synchronization

/// Draws the pages of a PDF through poppler, on white paper, at the wanted size.
///
/// Without a minimum size one point is one pixel: 72 for an inch. With one the page is drawn exactly as large as needed to
/// cover it. Documents that need a password are refused. Poppler does not promise that two threads may use it at once, so
/// one PDF is drawn at a time. A request to stop, and the limit on time, are heard while others draw and before each shape
/// or group that is drawn on the page itself.
public struct PDFDecoder: ImageDecoder {
    /// Held by whoever is inside poppler.
    static let turn = Mutex(())

    public init() {}

    public var library: CodecLibrary {
        CodecLibrary(name: "poppler", version: poppler_get_version().map { String(cString: $0) } ?? "")
    }

    public var decodableFormats: [ImageFormat] { [.pdf] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        try Self.turn.withLock { _ throws(CodingError) in
            let document = try PDFDocument(bytes)
            let page = try document.page(0)
            return ImageInfo(format: .pdf, storedSize: page.size, hasAlpha: false, frameCount: document.pageCount)
        }
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        try Self.turn.withLock { _ in
            try options.checkCancellation()
            let page = try PDFDocument(bytes).page(0)
            try Self.deliver(page, size: page.size.vector(covering: options.minimumSize), options, into: sink)
        }
    }

    /// Draws a page. Only with `turn` held.
    static func deliver(
        _ page: borrowing PDFPage, size: PixelSize, _ options: DecodeOptions, into sink: any RowSink
    ) throws {
        try options.limits.check(size, format: .pdf)
        try sink.deliverWhole(RowHeader(size: size, format: .rgbx8), options: options) { frame in
            try CairoCanvas.draw(on: frame, .white, size: size, format: .pdf, options: options) { cairo in
                page.draw(size, on: cairo)
            }
        }
    }
}
#endif
