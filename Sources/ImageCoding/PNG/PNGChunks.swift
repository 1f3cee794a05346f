/// The chunks of a PNG file, found by their lengths alone: nothing is unpacked and no check sum is computed.
///
/// The walk ends at the end of the bytes, at a chunk that reaches past it (which is still reported, cut), and after
/// ``limit`` chunks.
struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
        let type: ChunkType
        /// The chunk's content, cut where the bytes end.
        let content: UnsafeRawBufferPointer
        /// Where all of the chunk is in the file, from its length to its check sum; `nil` when it is cut off.
        let place: Range<Int>?
    }

    struct ChunkType: Hashable {
        let name: Int

        static let header = ChunkType("IHDR")
        static let transparency = ChunkType("tRNS")
        static let profile = ChunkType("iCCP")
        static let standardRGB = ChunkType("sRGB")
        static let gamma = ChunkType("gAMA")
        static let chromaticities = ChunkType("cHRM")
        static let codePoints = ChunkType("cICP")
        static let masteringDisplay = ChunkType("mDCV")
        static let lightLevel = ChunkType("cLLI")
        static let internationalText = ChunkType("iTXt")
        static let text = ChunkType("tEXt")
        static let packedText = ChunkType("zTXt")
        static let palette = ChunkType("PLTE")
        static let animationControl = ChunkType("acTL")
        static let frameControl = ChunkType("fcTL")
        static let framePixels = ChunkType("fdAT")
        static let exif = ChunkType("eXIf")
        static let pixels = ChunkType("IDAT")
        static let end = ChunkType("IEND")

        init(name: Int) {
            self.name = name
        }

        init(_ text: StaticString) {
            name = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
        }
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// A 100 MB picture has about 12,000 chunks as libpng writes them.
    static let limit = 1 << 16

    private let bytes: BoundedBytes
    private var position = PNGChunks.signature.count
    private var seen = 0

    /// `nil` when the bytes do not begin with PNG's signature.
    init?(_ bytes: BoundedBytes) {
        guard bytes.starts(with: Self.signature) else { return nil }
        self.bytes = bytes
    }

    mutating func next() -> Chunk? {
        guard seen < Self.limit, let length = bytes.bigEndian32(at: position),
            let name = bytes.bigEndian32(at: position + 4)
        else { return nil }
        seen += 1
        let start = position + 8
        // Four bytes of check sum follow. A length is below 2³², so the sum cannot overflow.
        let end = start + length + 4
        defer { position = end }
        return Chunk(
            type: ChunkType(name: name), content: bytes.slice(start..<start + length),
            place: end <= bytes.count ? position..<end : nil)
    }
}
