#if PNG
import Pixels

/// What a PNG's chunks say without unpacking a pixel.
struct PNGHeader {
    var info: ImageInfo
    private(set) var metadata = PNGMetadataChunks()
    /// Samples without colours.
    let isGray: Bool

    /// - Throws: ``CodingError`` with `truncated` when the header is not complete, `malformed` when it is against the
    ///   rules (PNG 3rd ed. §11.2.1).
    init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
        let format = ImageFormat.png(BoundedBytes(bytes))
        guard let format, var chunks = PNGChunks(BoundedBytes(bytes)) else {
            throw CodingError(.malformed, "The bytes do not begin with PNG's signature.", format: .png)
        }
        guard let first = chunks.next() else {
            throw CodingError(.truncated, "The PNG ends before its header.", format: format)
        }
        guard first.type == .header else {
            throw CodingError(.malformed, "The PNG does not begin with its header chunk.", format: format)
        }
        let fields = BoundedBytes(first.content)
        guard let width = fields.bigEndian32(at: 0), let height = fields.bigEndian32(at: 4), let bits = fields[8],
            let color = fields[9], let interlace = fields[12]
        else {
            throw CodingError(.truncated, "The PNG ends in its header.", format: format)
        }
        isGray = color & 2 == 0
        info = ImageInfo(
            format: format, storedSize: PixelSize(width: width, height: height), hasAlpha: color & 4 != 0,
            isProgressive: interlace == 1, bitsPerComponent: color == 3 ? 8 : Int(bits))
        var isBehindPixels = false
        for chunk in chunks {
            if chunk.type == .end { break }
            if chunk.type == .pixels { isBehindPixels = true }
            add(chunk, isBehindPixels: isBehindPixels)
        }
        info.orientation = metadata.orientation
        info.color = metadata.color
    }

    /// How libpng is to lay rows out, and what it is told for that.
    ///
    /// 16 bits are kept while colours are converted, and a grey picture's only channel for a profile that describes grey.
    ///
    /// - Parameter hasAlpha: what libpng says, which passes over a broken `tRNS`; `nil` before it was asked.
    func layout(_ options: DecodeOptions, hasAlpha: Bool? = nil) -> SampleLayout {
        var isGray = false
        if case .icc(let profile) = info.color { isGray = self.isGray && profile.space == .gray }
        let isConverted = options.color == .sRGB && !info.color.isSRGB
        let keeps16 = info.bitsPerComponent == 16 && (options.depth == .asStored || isConverted)
        let channels: SampleLayout.Channels =
            hasAlpha ?? info.hasAlpha ? (isGray ? .grayAlpha : .rgba) : isGray ? .gray : .rgbx
        return SampleLayout(channels: channels, component: keeps16 ? .uint16 : .uint8)
    }

    private mutating func add(_ chunk: PNGChunks.Chunk, isBehindPixels: Bool) {
        switch chunk.type {
        case .transparency where !isBehindPixels: info.hasAlpha = true
        case .animationControl where info.format == .apng:
            let frames = BoundedBytes(chunk.content).bigEndian32(at: 0) ?? 0
            info.frameCount = frames > 0 ? frames : nil
        default: metadata.add(chunk, isBehindPixels: isBehindPixels)
        }
    }
}
#endif
