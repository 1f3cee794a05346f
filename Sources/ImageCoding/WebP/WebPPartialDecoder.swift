#if WebP
import CWebP
import Pixels

extension WebPDecoder: PartialImageDecoder {
    /// Rows come from top to bottom, in the options' smaller size. An animation shows its first frame, where that covers the
    /// canvas.
    ///
    /// A picture with EXIF or XMP is not shown in parts: which way up it is stands behind its pixels.
    public func makePartialDecoder(for request: PartialRequest) -> any PartialDecoder {
        EndingDecoder(WebPPartialDecoder(self, request), limits: request.limits)
    }
}

private final class WebPPartialDecoder: FinitePartialDecoder {
    private struct Picture {
        let frame: WebPGrowingFrame
        /// Where the frame is in the file.
        let place: Range<Int>
        let transform: ColorTransform
        var rows: PartialRows
    }

    private let decoder: WebPDecoder
    private let request: PartialRequest
    private var fresh = FreshBytes()
    private var picture: Picture?
    private(set) var isOver = false

    init(_ decoder: WebPDecoder, _ request: PartialRequest) {
        self.decoder = decoder
        self.request = request
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress? {
        if picture == nil, fresh.areEnough(at: bytes.count) { picture = try open(bytes) }
        return try look(BoundedBytes(bytes))
    }

    private func look(_ file: BoundedBytes) throws -> PartialProgress? {
        guard var picture else { return nil }
        defer { self.picture = picture }
        try picture.rows.options.checkCancellation()
        try picture.frame.grow(to: file.slice(picture.place))
        let made = picture.frame.rows.strip
        let width = picture.rows.header.size.width
        let transform = picture.transform
        if picture.frame.rowCount > 0, picture.rows.pass == 0 { try picture.rows.beginPass() }
        try picture.rows.take(upTo: picture.frame.rowCount) { strip, rows in
            let source = made.base + rows.lowerBound * made.bytesPerRow
            let rest = RowStrip(base: source, bytesPerRow: made.bytesPerRow, rowCount: rows.count)
            transform.convert(rest, into: strip, width: width, rows: rows.count)
            return rows.count
        }
        return picture.rows.look()
    }

    /// - Returns: `nil` as long as the first frame's header is not whole, and when it is not to be shown.
    private func open(_ bytes: UnsafeRawBufferPointer) throws -> Picture? {
        try WebPContainer.withContainer(of: bytes) { container throws -> Picture? in
            // Alpha comes first, and says nothing of the size.
            guard let container, let first = container.firstFrame, !first.place.isEmpty else { return nil }
            let still: WebPFrame
            let frame: WebPFrame
            do {
                still = try WebPFrame(bytes, format: .webp)
                frame = try still.isAnimated ? WebPFrame(first.bytes, format: .animatedWebP) : still
            } catch let error as CodingError where error.code == .truncated {
                return nil
            }
            try request.limits.check(still.size, format: .webp)
            guard !container.hasLateMetadata, first.place == PixelRect(still.size), frame.size == still.size,
                let place = Self.place(of: first, isAnimated: still.isAnimated, in: bytes)
            else {
                isOver = true
                return nil
            }
            let info = try decoder.info(of: bytes)
            let options = request.options(info)
            let size = frame.size(covering: options.minimumSize)
            let transform = ColorTransform(
                from: container.color, layout: frame.hasAlpha ? .rgba8 : .rgbx8, options: options)
            return try Picture(
                frame: WebPGrowingFrame(frame, scaledTo: size, byteCount: place.count, format: info.format),
                place: place, transform: transform,
                rows: PartialRows(
                    info, RowHeader(size: size, format: transform.format), options: options, into: request.makeSink))
        }
    }

    /// Where libwebp's bytes are going to be: all of a still file, or what the first frame's chunk holds.
    private static func place(
        of first: WebPContainer.Frame, isAnimated: Bool, in bytes: UnsafeRawBufferPointer
    ) -> Range<Int>? {
        let file = BoundedBytes(bytes)
        guard isAnimated else { return file.littleEndian32(at: 4).map { 0..<$0 + 8 } }
        guard let start = bytes.baseAddress, let frame = first.bytes.baseAddress else { return nil }
        let offset = frame - start
        var position = 12
        while position < offset, let length = file.littleEndian32(at: position + 4) {
            let next = position + 8 + length
            if file.has("ANMF", at: position) { return offset < next ? offset..<next : nil }
            position = next + length % 2
        }
        return nil
    }
}

extension WebPContainer {
    /// Chunks are announced that may say which way up the picture is. They stand behind its pixels.
    fileprivate var hasLateMetadata: Bool {
        feature(WEBP_FF_FORMAT_FLAGS) & (EXIF_FLAG.rawValue | XMP_FLAG.rawValue) != 0
    }
}
#endif
