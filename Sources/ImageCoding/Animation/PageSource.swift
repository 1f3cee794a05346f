import Pixels

/// The pages of a document, or the pictures that share a file, as frames.
///
/// The canvas is the first page as it is seen. Each other page lies in its middle, upright, at its own size; one that is
/// larger is made smaller until it fits, in its own shape. What a page leaves of the canvas is transparent. No page needs
/// another to be decoded.
struct PageSource: FrameSource {
    struct Page: Sendable {
        /// Of the rows that are delivered.
        var size: PixelSize
        var orientation = Orientation.up
        var hasAlpha: Bool

        /// As the page is seen.
        var shownSize: PixelSize { orientation.applied(to: size) }
    }

    let header: AnimationHeader
    private let pages: [Page]
    private let decode: @Sendable (Int, DecodeOptions, any RowSink) throws -> Void

    /// - Parameters:
    ///   - pages: at least one, or the header is refused.
    ///   - decode: delivers a page's rows; checks the limits for it.
    init(
        _ format: ImageFormat, pages: [Page], isComplete: Bool = true,
        decode: @escaping @Sendable (Int, DecodeOptions, any RowSink) throws -> Void
    ) {
        let canvas = pages.first?.shownSize ?? PixelSize(width: 0, height: 0)
        header = AnimationHeader(
            format: format, canvas: canvas, loopCount: 1,
            frames: pages.map { page in
                // Taken away again: the next page finds an empty canvas.
                FrameHeader(
                    place: canvas.middle(for: page.shownSize), hasAlpha: page.hasAlpha, disposal: .restore)
            }, isPaged: true, isComplete: isComplete)
        self.pages = pages
        self.decode = decode
    }

    func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError) {
        let page = pages[index]
        let place = header.frames[index].place
        let sink = CanvasSink(canvas, place: place, in: header.canvas, blending: .replace)
        try CodingError.typed(header.format) {
            if page.orientation == .up, page.size == place.size { return try decode(index, options, sink) }
            let whole = BitmapSink()
            try decode(index, options, whole)
            guard let bitmap = whole.takeBitmap(), bitmap.size == page.size else {
                throw CodingError(.malformed, "A page contradicts its header.", format: header.format)
            }
            // Smaller first: there is less to turn.
            let stored = page.orientation.applied(to: place.size)
            try sink.deliver(bitmap.shrunk(to: stored).oriented(by: page.orientation), options: options)
        }
    }
}

extension PixelSize {
    /// Where a page lies on a canvas of this size: in the middle, smaller if it has to be, never larger than it is.
    func middle(for page: PixelSize) -> PixelRect {
        guard isPositive, page.isPositive else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
        let size = page.fitted(into: self)
        return PixelRect(
            x: (width - size.width) / 2, y: (height - size.height) / 2, width: size.width, height: size.height)
    }
}
