#if GIF
import CGIF
import Pixels

/// One run of giflib over some bytes, up to and through one picture; lives only inside ``withReader(of:_:)``.
struct GIFReader {
    private let file: UnsafeMutablePointer<GifFileType>
    private let source: UnsafeMutablePointer<Source>
    /// Where the picture lies; may leave the canvas.
    let place: PixelRect
    let isInterlaced: Bool
    let palette: GIFPalette

    /// What giflib reads from, one piece after the other. It asks for a byte, then for a block of up to 255, and so on.
    struct Source {
        private var piece: UnsafeRawBufferPointer
        private var following: UnsafeRawBufferPointer
        /// How many bytes of the piece were taken.
        private(set) var position = 0
        private(set) var isExhausted = false

        init(_ piece: UnsafeRawBufferPointer, following: UnsafeRawBufferPointer = .init(start: nil, count: 0)) {
            self.piece = piece
            self.following = following
        }

        /// The only piece has become longer, and may lie elsewhere.
        mutating func grow(to piece: UnsafeRawBufferPointer) { self.piece = piece }

        mutating func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
            var read = 0
            defer { isExhausted = isExhausted || read < count }
            while true {
                let taken = min(count - read, piece.count - position)
                if taken > 0, let start = piece.baseAddress {
                    (target + read).copyMemory(from: start + position, byteCount: taken)
                    position += taken
                    read += taken
                }
                guard read < count, !following.isEmpty else { return read }
                (piece, following, position) = (following, UnsafeRawBufferPointer(start: nil, count: 0), 0)
            }
        }
    }

    /// Opens a file and reads up to the first picture's pixels.
    static func withReader<Result>(
        of bytes: UnsafeRawBufferPointer, _ body: (GIFReader) throws -> Result
    ) throws -> Result {
        try withReader(Source(bytes), body)
    }

    /// Opens one picture of a file as if there were no others before it.
    static func withReader<Result>(
        of picture: GIFBlocks.Picture, in blocks: GIFBlocks, _ bytes: UnsafeRawBufferPointer,
        _ body: (GIFReader) throws -> Result
    ) throws -> Result {
        let bytes = BoundedBytes(bytes)
        let source = Source(bytes.slice(blocks.head), following: bytes.slice(picture.bytes))
        return try withReader(source, transparentIndex: picture.control.transparentIndex, body)
    }

    private static func withReader<Result>(
        _ source: Source, transparentIndex: UInt8? = nil, _ body: (GIFReader) throws -> Result
    ) throws -> Result {
        var source = source
        return try withUnsafeMutablePointer(to: &source) { source in
            let file = try open(source)
            defer { DGifCloseFile(file, nil) }
            return try body(GIFReader(file, source, transparentIndex: transparentIndex))
        }
    }

    /// Reads the file's header. The source has to stay where it is until the file is closed.
    static func open(_ source: UnsafeMutablePointer<Source>) throws(CodingError) -> UnsafeMutablePointer<GifFileType> {
        var code: Int32 = 0
        guard let file = DGifOpen(source, read, &code) else { throw error(code, source) }
        return file
    }

    /// Reads up to the first picture's pixels.
    init(
        _ file: UnsafeMutablePointer<GifFileType>, _ source: UnsafeMutablePointer<Source>, transparentIndex: UInt8?
    ) throws(CodingError) {
        self.file = file
        self.source = source
        let transparentIndex = try Self.seekPicture(file, source, transparentIndex.map(Int.init) ?? -1)
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
    /// - Parameter known: the transparent index when no graphic control extension comes.
    /// - Returns: the index that its graphic control extension declares transparent, -1 for none.
    private static func seekPicture(
        _ file: UnsafeMutablePointer<GifFileType>, _ source: UnsafeMutablePointer<Source>, _ known: Int
    ) throws(CodingError) -> Int {
        var transparentIndex = known
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
        return Int32(clamping: source.pointee.read(target, Int(count)))
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
