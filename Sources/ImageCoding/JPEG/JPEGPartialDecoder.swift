#if JPEG
import Pixels

extension JPEGDecoder: PartialImageDecoder {
    /// Baseline pictures come row by row, progressive ones scan by scan. Pictures in arithmetic coding are not shown in
    /// parts.
    public func makePartialDecoder(for request: PartialRequest) -> any PartialDecoder {
        EndingDecoder(JPEGPartialDecoder(self, request), limits: request.limits)
    }
}

private final class JPEGPartialDecoder: FinitePartialDecoder {
    private struct Picture {
        let transform: ColorTransform
        /// Where rows wait to be converted; `nil` where they are converted in place.
        let room: RowRoom?
        var rows: PartialRows
        var passes: PassBudget
        var shownScan = 0
    }

    private let decoder: JPEGDecoder
    private let request: PartialRequest
    private var stream: JPEGPartialStream?
    private var picture: Picture?

    init(_ decoder: JPEGDecoder, _ request: PartialRequest) {
        self.decoder = decoder
        self.request = request
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress? {
        if stream == nil { stream = try JPEGPartialStream() }
        guard let stream else { return nil }
        if picture == nil { picture = try open(bytes, stream) }
        guard picture != nil else { return nil }
        try picture?.rows.options.checkCancellation()
        return try stream.hasPasses ? takeScans(bytes, stream) : takeRows(bytes, stream)
    }

    /// - Returns: `nil` as long as the header is not whole.
    private func open(_ bytes: UnsafeRawBufferPointer, _ stream: JPEGPartialStream) throws -> Picture? {
        guard try stream.readHeader(bytes) else { return nil }
        let header = try JPEGHeader(bytes)
        try header.checkSupport()
        try request.limits.check(header.size, format: .jpeg)
        let info = try decoder.info(of: bytes)
        let options = request.options(info)
        let scale = DCTScale(covering: options.minimumSize, of: header.size)
        let transform = ColorTransform(from: info.color, layout: header.layout(for: info.color), options: options)
        let size = try stream.start(
            scale: scale, layout: transform.source, maxScans: JPEGDecoder.maxScans(for: header.size, request.limits))
        let room = try transform.worksInPlace ? nil : RowRoom(RowRoom.deliveredRows, of: size.width, transform.source)
        let rows = PartialRows(
            info, RowHeader(size: size, format: transform.format), options: options, into: request.makeSink)
        return Picture(transform: transform, room: room, rows: rows, passes: PassBudget(scale))
    }

    /// Rows from top to bottom.
    private func takeRows(_ bytes: UnsafeRawBufferPointer, _ stream: JPEGPartialStream) throws -> PartialProgress? {
        guard var picture, !picture.rows.isWhole else { return nil }
        defer { self.picture = picture }
        let (room, transform, size) = (picture.room?.strip, picture.transform, picture.rows.header.size)
        if picture.rows.pass == 0 { try picture.rows.beginPass() }
        try picture.rows.take(upTo: size.height) { strip, rows in
            let made = try stream.readBand(bytes, rows.count, into: room ?? strip)
            transform.finish(room, into: strip, width: size.width, rows: made)
            return made
        }
        return picture.rows.look()
    }

    /// Passes from coarse to fine.
    private func takeScans(_ bytes: UnsafeRawBufferPointer, _ stream: JPEGPartialStream) throws -> PartialProgress? {
        guard var picture else { return nil }
        let scans = try stream.takeScans(bytes)
        guard scans > picture.shownScan, picture.passes.spend(at: bytes.count) else { return nil }
        defer { self.picture = picture }
        picture.shownScan = scans
        let (room, transform, size) = (picture.room?.strip, picture.transform, picture.rows.header.size)
        try stream.beginPass(after: scans)
        return try picture.rows.show { strip, rows in
            guard try stream.readPass(rows.count, into: room ?? strip) == rows.count else {
                throw CodingError(.malformed, "A pass of the JPEG has too few rows.", format: .jpeg)
            }
            transform.finish(room, into: strip, width: size.width, rows: rows.count)
        }
    }
}

/// How many passes a progressive picture may be shown in, so that all of them together cost no more than two decodes.
///
/// Taking the scans costs most of a decode, once. Measured on 12 megapixels with ten scans, as parts of a whole decode:
/// taking them 0.85, each pass 0.27 at full size, 0.15 at one half, 0.10 at a quarter and 0.03 at an eighth. Other pictures
/// take more for each, so one of full size is left out.
struct PassBudget {
    private var left: Int
    private var spentAt = 0

    init(_ scale: DCTScale) {
        left =
            switch scale {
            case .full: 3
            case .half: 7
            case .quarter: 11
            case .eighth: 32
            }
    }

    /// - Parameter count: how many bytes have come. The fewer passes are left the more has to be new.
    /// - Returns: whether a pass may be made, which counts as made then.
    mutating func spend(at count: Int) -> Bool {
        guard left > 0, spentAt == 0 || left > 8 || count >= spentAt + spentAt / 4 else { return false }
        left -= 1
        spentAt = count
        return true
    }
}
#endif
