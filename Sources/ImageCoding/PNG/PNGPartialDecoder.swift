#if PNG
import CPNGShim
import Pixels

extension PNGDecoder: PartialImageDecoder {
    /// Rows come as they are, those of an interlaced picture pass by pass, with each pixel as a block. Of APNG only the
    /// default picture is shown. An orientation that stands behind the pixels is not known in time.
    public func makePartialDecoder(for request: PartialRequest) -> any PartialDecoder {
        EndingDecoder(PNGPartialDecoder(request), limits: request.limits)
    }
}

/// Works on each byte once: libpng does, or on the packed pixels of a plain picture the faster inflate.
private final class PNGPartialDecoder: FinitePartialDecoder {
    /// Header, palette and transparency, after the signature; more chunks of these kinds are against the rules.
    private static let mostHeads = 4

    private let request: PartialRequest
    private var chunks = PNGPartialChunks()
    private var heads: [Range<Int>] = []
    private var picture: PNGPartialPicture?

    init(_ request: PartialRequest) { self.request = request }

    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress? {
        try take(BoundedBytes(bytes))
        return try picture?.look()
    }

    private func take(_ file: BoundedBytes) throws {
        while let piece = chunks.next(in: file) {
            switch piece {
            case .head(let range):
                guard heads.count < Self.mostHeads else {
                    throw CodingError(.malformed, "The PNG has a chunk twice that it may have once.", format: .png)
                }
                heads.append(range)
            case .name(let range):
                if let picture { try picture.takeFrame(file.slice(range)) } else { picture = try open(file, range) }
            case .pixels(let range): try picture?.takePixels(file.slice(range))
            case .checksum(let range): try picture?.takeFrame(file.slice(range))
            }
        }
    }

    /// Reads what stands in front of the pixels, which has come whole.
    ///
    /// - Parameter name: of the first chunk of pixels.
    private func open(_ file: BoundedBytes, _ name: Range<Int>) throws -> PNGPartialPicture {
        let stated = try PNGHeader(file.bytes)
        try request.limits.check(stated.info.storedSize, format: stated.info.format)
        let options = request.options(stated.info)
        let reader = try PNGPushReader(layout: stated.layout(options), limits: request.limits)
        for range in heads + [name] { try reader.feed(file.slice(range)) { _, _, _ in } }
        guard let header = reader.header else {
            throw CodingError(.malformed, "The PNG has no header that libpng takes.", format: .png)
        }
        let length = file.bigEndian32(at: name.lowerBound) ?? 0
        let packed = file.slice(name.upperBound..<name.upperBound + min(length, 2))
        return try PNGPartialPicture(
            reader, header, stated, fast: PNGPushStream(header, packed: packed), options: options, request)
    }
}

/// A picture whose header is known.
private final class PNGPartialPicture {
    private let reader: PNGPushReader
    /// Takes the pixels in the reader's place.
    private let fast: PNGPushStream?
    private let transform: ColorTransform
    private let size: PixelSize
    private var rows: PartialRows
    /// Of an interlaced picture.
    private var passes: PNGPasses?

    init(
        _ reader: PNGPushReader, _ header: cpng_header, _ stated: PNGHeader, fast: PNGPushStream?,
        options: DecodeOptions, _ request: PartialRequest
    ) throws {
        self.reader = reader
        size = PixelSize(width: Int(header.width), height: Int(header.height))
        try request.limits.check(size, format: stated.info.format)
        transform = ColorTransform(
            from: stated.info.color, layout: stated.layout(options, hasAlpha: header.has_alpha != 0), options: options)
        // What it makes lies where finished pixels lie.
        self.fast = transform.worksInPlace ? fast : nil
        rows = PartialRows(
            stated.info, RowHeader(size: size, format: transform.format), options: options, into: request.makeSink)
        if header.is_interlaced != 0 {
            passes = try PNGPasses(size, transform)
        } else {
            try rows.beginPass()
        }
    }

    /// Takes what is around packed pixels.
    func takeFrame(_ bytes: UnsafeRawBufferPointer) throws {
        if fast == nil { try feed(bytes) }
    }

    func takePixels(_ packed: UnsafeRawBufferPointer) throws {
        guard let fast else { return try feed(packed) }
        fast.push(packed)
        try rows.take(upTo: size.height) { strip, rows in
            let made = try fast.read(rows.count, into: strip)
            transform.convert(strip, width: size.width, rows: made)
            return made
        }
    }

    private func feed(_ bytes: UnsafeRawBufferPointer) throws {
        guard !rows.isWhole || passes != nil else { return }
        try rows.options.checkCancellation()
        try reader.feed(bytes, take: takeRow)
    }

    private func takeRow(_ samples: UnsafeRawPointer, number: Int, pass: Int) throws {
        guard passes == nil else {
            passes?.take(samples, row: number, of: pass)
            return
        }
        // One row, since the one before it has been taken.
        try rows.take(upTo: min(number + 1, size.height)) { strip, rows in
            transform.convert(samples, into: strip.base, count: size.width)
            return rows.count
        }
    }

    func look() throws -> PartialProgress? {
        guard passes != nil else { return rows.look() }
        guard passes?.hasNews() == true, let passes else { return nil }
        return try rows.show(passes.fill)
    }
}
#endif
