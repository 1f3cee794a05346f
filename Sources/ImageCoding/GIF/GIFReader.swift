#if GIF
import CGIF
import Pixels

/// One run of giflib over some bytes, up to and through its first picture; lives only inside ``withReader(of:_:)``.
struct GIFReader {
    private let file: UnsafeMutablePointer<GifFileType>
    private let source: UnsafeMutablePointer<Source>
    /// Where the first picture lies; may leave the canvas.
    let place: PixelRect
    let isInterlaced: Bool
    let palette: GIFPalette

    /// What giflib reads from.
    private struct Source {
        var bytes: UnsafeRawBufferPointer.SubSequence
        var isExhausted = false
    }

    /// Opens a file and reads up to the first picture's pixels.
    static func withReader<Result>(
        of bytes: UnsafeRawBufferPointer, _ body: (GIFReader) throws -> Result
    ) throws -> Result {
        var source = Source(bytes: bytes[...])
        return try withUnsafeMutablePointer(to: &source) { source in
            var code: Int32 = 0
            guard let file = DGifOpen(source, read, &code) else { throw error(code, source) }
            defer { DGifCloseFile(file, nil) }
            return try body(GIFReader(file, source))
        }
    }

    private init(
        _ file: UnsafeMutablePointer<GifFileType>, _ source: UnsafeMutablePointer<Source>
    ) throws(CodingError) {
        self.file = file
        self.source = source
        let transparentIndex = try Self.seekPicture(file, source)
        let image = file.pointee.Image
        place = PixelRect(x: Int(image.Left), y: Int(image.Top), width: Int(image.Width), height: Int(image.Height))
        isInterlaced = image.Interlace
        guard let colors = image.ColorMap ?? file.pointee.SColorMap else {
            throw CodingError(.malformed, "The GIF has no palette for its first picture.", format: .gif)
        }
        palette = GIFPalette(colors.pointee, transparentIndex: transparentIndex)
    }

    /// Reads the next row of the picture, one colour index a pixel; `row` has room for ``place``'s width.
    func readRow(into row: UnsafeMutablePointer<UInt8>) throws(CodingError) {
        guard DGifGetLine(file, row, Int32(clamping: place.width)) == GIF_OK else {
            throw Self.error(file.pointee.Error, source)
        }
    }

    /// Skips to the first picture and reads its description.
    ///
    /// - Returns: the index that its graphic control extension declares transparent, -1 for none.
    private static func seekPicture(
        _ file: UnsafeMutablePointer<GifFileType>, _ source: UnsafeMutablePointer<Source>
    ) throws(CodingError) -> Int {
        var transparentIndex = -1
        while true {
            var record = UNDEFINED_RECORD_TYPE
            guard DGifGetRecordType(file, &record) == GIF_OK else { throw error(file.pointee.Error, source) }
            switch record {
            case IMAGE_DESC_RECORD_TYPE:
                guard DGifGetImageDesc(file) == GIF_OK else { throw error(file.pointee.Error, source) }
                return transparentIndex
            case EXTENSION_RECORD_TYPE:
                if let index = try readExtension(file, source) { transparentIndex = index }
            default:
                throw CodingError(.malformed, "The GIF has no picture.", format: .gif)
            }
        }
    }

    /// - Returns: the transparent index of a graphic control extension, `nil` for another extension.
    private static func readExtension(
        _ file: UnsafeMutablePointer<GifFileType>, _ source: UnsafeMutablePointer<Source>
    ) throws(CodingError) -> Int? {
        var function: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>?
        guard DGifGetExtension(file, &function, &block) == GIF_OK else { throw error(file.pointee.Error, source) }
        var transparentIndex: Int?
        // The first byte of a block is its length.
        if function == GRAPHICS_EXT_FUNC_CODE, let block, block[0] >= 4 {
            transparentIndex = block[1] & 1 != 0 ? Int(block[4]) : -1
        }
        while block != nil {
            guard DGifGetExtensionNext(file, &block) == GIF_OK else { throw error(file.pointee.Error, source) }
        }
        return transparentIndex
    }

    private static let read: InputFunc = { file, target, count in
        guard let target, count > 0, let source = file?.pointee.UserData?.assumingMemoryBound(to: Source.self) else {
            return 0
        }
        let piece = source.pointee.bytes.prefix(Int(count))
        if piece.count < Int(count) { source.pointee.isExhausted = true }
        UnsafeMutableRawBufferPointer(start: target, count: Int(count)).copyBytes(from: piece)
        source.pointee.bytes = source.pointee.bytes.dropFirst(piece.count)
        return Int32(clamping: piece.count)
    }

    private static func error(_ code: Int32, _ source: UnsafeMutablePointer<Source>) -> CodingError {
        if source.pointee.isExhausted || code == D_GIF_ERR_EOF_TOO_SOON {
            return CodingError(.truncated, "The GIF ends before the picture does.", format: .gif)
        }
        if code == D_GIF_ERR_NOT_ENOUGH_MEM {
            return CodingError(.outOfMemory, "There is no memory to decode the GIF.", format: .gif)
        }
        let message = GifErrorString(code).map { String(cString: $0) } ?? "giflib's error is \(code)"
        return CodingError(.malformed, "The GIF is damaged: \(message).", format: .gif)
    }
}
#endif
