#if JPEG
public import Pixels

extension JPEGDecoder: PartialImageDecoder {
    /// Baseline pictures come row by row, progressive ones scan by scan. Pictures in arithmetic coding are not shown in
    /// parts.
    public func makePartialDecoder(
        limits: DecodeLimits, optionsFor options: @escaping (ImageInfo) -> DecodeOptions,
        into makeSink: @escaping (ImageInfo) throws -> any RowSink
    ) -> any PartialDecoder {
        JPEGPartialDecoder(decoder: self, limits: limits, options: options, makeSink: makeSink)
    }
}

private final class JPEGPartialDecoder: PartialDecoder {
    /// Rows are worth looking at again when another part of this size has come.
    private static let parts = 8

    private struct Picture {
        let info: ImageInfo
        let options: DecodeOptions
        /// The size of the rows, as the decoder scales it.
        let size: PixelSize
        let transform: ColorTransform
        /// Where rows wait to be converted; `nil` where they are converted in place.
        let room: RowRoom?
        var passes: PassBudget
        var sink: (any RowSink)?
        var pass = 0
        var row = 0
        var shownRow = 0
        var shownScan = 0
    }

    private let decoder: JPEGDecoder
    private let limits: DecodeLimits
    private let options: (ImageInfo) -> DecodeOptions
    private let makeSink: (ImageInfo) throws -> any RowSink
    private var stream: JPEGPartialStream?
    private var picture: Picture?

    init(
        decoder: JPEGDecoder, limits: DecodeLimits, options: @escaping (ImageInfo) -> DecodeOptions,
        makeSink: @escaping (ImageInfo) throws -> any RowSink
    ) {
        self.decoder = decoder
        self.limits = limits
        self.options = options
        self.makeSink = makeSink
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress? {
        try limits.check(inputBytes: bytes.count)
        if stream == nil { stream = try JPEGPartialStream() }
        guard let stream else { return nil }
        if picture == nil { picture = try open(bytes, stream) }
        guard picture != nil else { return nil }
        try picture?.options.checkCancellation()
        return try stream.hasPasses ? takeScans(bytes, stream) : takeRows(bytes, stream)
    }

    /// - Returns: `nil` as long as the header is not whole.
    private func open(_ bytes: UnsafeRawBufferPointer, _ stream: JPEGPartialStream) throws -> Picture? {
        guard try stream.readHeader(bytes) else { return nil }
        let header = try JPEGHeader(bytes)
        try header.checkSupport()
        try limits.check(header.size, format: .jpeg)
        let info = try decoder.info(of: bytes)
        let options = options(info)
        let scale = DCTScale(covering: options.minimumSize, of: header.size)
        let transform = ColorTransform(from: info.color, layout: header.layout(for: info.color), options: options)
        let size = try stream.start(
            scale: scale, layout: transform.source, maxScans: JPEGDecoder.maxScans(for: header.size, limits))
        let room =
            try transform.worksInPlace ? nil : RowRoom(JPEGDecoder.rowsPerStep, of: size.width, transform.source)
        return Picture(
            info: info, options: options, size: size, transform: transform, room: room, passes: PassBudget(scale))
    }

    // MARK: Rows from top to bottom

    private func takeRows(_ bytes: UnsafeRawBufferPointer, _ stream: JPEGPartialStream) throws -> PartialProgress? {
        guard var picture, picture.row < picture.size.height else { return nil }
        defer { self.picture = picture }
        let sink = try picture.sink ?? begin(&picture)
        picture.pass = 1
        while picture.row < picture.size.height {
            try picture.options.checkCancellation()
            let strip = try sink.nextStrip()
            let wanted = min(strip.rowCount, JPEGDecoder.rowsPerStep, picture.size.height - picture.row)
            let made = try stream.readBand(bytes, wanted, into: picture.room?.strip ?? strip)
            picture.transform.finish(picture.room?.strip, into: strip, width: picture.size.width, rows: made)
            if made > 0 { try sink.commit(rows: made) }
            picture.row += made
            if made < wanted { break }
        }
        let isLast = picture.row == picture.size.height
        guard isLast || (picture.row - picture.shownRow) * Self.parts >= picture.size.height else { return nil }
        picture.shownRow = picture.row
        return progress(picture)
    }

    // MARK: Passes from coarse to fine

    private func takeScans(_ bytes: UnsafeRawBufferPointer, _ stream: JPEGPartialStream) throws -> PartialProgress? {
        guard var picture else { return nil }
        let scans = try stream.takeScans(bytes)
        guard scans > picture.shownScan, picture.passes.spend(at: bytes.count) else { return nil }
        defer { self.picture = picture }
        picture.shownScan = scans
        picture.pass += 1
        picture.row = 0
        let sink = try begin(&picture)
        try stream.beginPass(after: scans)
        while picture.row < picture.size.height {
            try picture.options.checkCancellation()
            let strip = try sink.nextStrip()
            let wanted = min(strip.rowCount, JPEGDecoder.rowsPerStep, picture.size.height - picture.row)
            guard try stream.readPass(wanted, into: picture.room?.strip ?? strip) == wanted else {
                throw CodingError(.malformed, "A pass of the JPEG has too few rows.", format: .jpeg)
            }
            picture.transform.finish(picture.room?.strip, into: strip, width: picture.size.width, rows: wanted)
            try sink.commit(rows: wanted)
            picture.row += wanted
        }
        return progress(picture)
    }

    private func begin(_ picture: inout Picture) throws -> any RowSink {
        let sink = try makeSink(picture.info)
        try sink.begin(RowHeader(size: picture.size, format: picture.transform.format))
        picture.sink = sink
        return sink
    }

    private func progress(_ picture: Picture) -> PartialProgress {
        PartialProgress(
            info: picture.info, pass: picture.pass, rows: picture.row, rowCount: picture.size.height)
    }
}

/// How many passes a progressive picture may be shown in, so that all of them together cost no more than two decodes.
///
/// Taking the scans costs most of a decode, once. Measured on 12 megapixels with ten scans, as parts of a whole decode:
/// taking them 0.85, each pass 0.27 at full size, 0.15 at one half, 0.10 at a quarter and 0.03 at an eighth.
struct PassBudget {
    private var left: Int
    private var spentAt = 0

    init(_ scale: DCTScale) {
        left =
            switch scale {
            case .full: 4
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
