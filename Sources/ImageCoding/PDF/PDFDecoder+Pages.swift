#if PDF
public import ByteBuffers
import Pixels
import Synchronization

extension PDFDecoder: AnimationDecoder {
    public var animatedFormats: [ImageFormat] { [.pdf] }

    /// Lists the pages. A page that cannot be read counts as large as the first, and only
    /// asking for it is an error.
    ///
    /// The canvas is the first page, one pixel for a point, or just large enough to cover the thumbnail that is wanted:
    /// pages are drawn at that size. Each other page lies in its middle, to the same scale, or smaller where it does not
    /// fit; what it leaves free is transparent.
    public func frames(of bytes: Bytes, options: AnimationOptions) throws(CodingError) -> any FrameSource {
        let document = try OpenDocument(bytes, options)
        return PageSource(.pdf, pages: document.pages) { index, options, sink in
            try document.deliver(index, options, into: sink)
        }
    }
}

/// A document that stays open as long as its pages may be asked for.
// Unchecked: what is not constant is touched with `PDFDecoder.turn` held alone.
private final class OpenDocument: @unchecked Sendable {
    let pages: [PageSource.Page]
    // The document reads these.
    private let bytes: Bytes
    private var document: PDFDocument?

    init(_ bytes: Bytes, _ options: AnimationOptions) throws(CodingError) {
        self.bytes = bytes
        // Valid as long as `bytes`.
        let file = bytes.withUnsafeBytes(\.self)
        var pages: [PageSource.Page] = []
        var opened: PDFDocument?
        try PDFDecoder.turn.withLock { _ throws(CodingError) in
            let document = try PDFDocument(file)
            pages = try Self.pages(of: document, options)
            opened = consume document
        }
        self.pages = pages
        document = opened.take()
    }

    deinit {
        PDFDecoder.turn.withLock { _ in document = nil }
    }

    private static func pages(
        of document: borrowing PDFDocument, _ options: AnimationOptions
    ) throws(CodingError) -> [PageSource.Page] {
        let count = options.isFirstFrameOnly ? 1 : max(1, document.pageCount)
        try options.limits.check(frames: count, format: .pdf)
        let first = try document.page(0)
        let canvas = first.size.vector(covering: options.thumbnail?.size)
        try options.limits.check(canvas, format: .pdf)
        let scale = max(Double(canvas.width) / first.points.width, Double(canvas.height) / first.points.height)
        return (0..<count).map { index in
            guard index > 0, let page = try? document.page(index), page.size.isPositive else {
                return PageSource.Page(size: canvas, hasAlpha: false)
            }
            let size = PixelSize(roundingUp: page.points.width * scale, page.points.height * scale)
            // A page of the first one's size fills the canvas, however that was rounded.
            let isSame = page.size == first.size
            return PageSource.Page(size: isSame ? canvas : canvas.middle(for: size).size, hasAlpha: false)
        }
    }

    func deliver(_ index: Int, _ options: DecodeOptions, into sink: any RowSink) throws {
        try PDFDecoder.turn.withLock { _ in
            try options.checkCancellation()
            guard let page = try document?.page(index) else { return }
            try PDFDecoder.deliver(page, size: pages[index].size, options, into: sink)
        }
    }
}
#endif
