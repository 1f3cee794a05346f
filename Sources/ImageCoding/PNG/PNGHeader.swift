#if PNG
import Pixels

/// What a PNG's chunks say without unpacking a pixel.
struct PNGHeader {
    var info: ImageInfo

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
        guard let width = fields.bigEndian32(at: 0), let height = fields.bigEndian32(at: 4), let color = fields[9],
            let interlace = fields[12]
        else {
            throw CodingError(.truncated, "The PNG ends in its header.", format: format)
        }
        info = ImageInfo(
            format: format, storedSize: PixelSize(width: width, height: height), hasAlpha: color & 4 != 0,
            isProgressive: interlace == 1)
        var isBehindPixels = false
        for chunk in chunks {
            if chunk.type == .end { break }
            if chunk.type == .pixels { isBehindPixels = true }
            add(chunk, isBehindPixels: isBehindPixels)
        }
    }

    private mutating func add(_ chunk: PNGChunks.Chunk, isBehindPixels: Bool) {
        switch chunk.type {
        case .transparency where !isBehindPixels: info.hasAlpha = true
        case .animationControl where info.format == .apng:
            let frames = BoundedBytes(chunk.content).bigEndian32(at: 0) ?? 0
            info.frameCount = frames > 0 ? frames : nil
        // May also stand behind the pixels (PNG 3rd ed. §5.6).
        case .exif: info.orientation = ExifOrientation.read(fromTIFF: chunk.content) ?? info.orientation
        default: break
        }
    }
}
#endif
