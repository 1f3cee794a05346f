#if PNG
/// What is needed of a PNG that is still coming, in the order of the file: each byte once, none of the chunks that pixels do
/// not need.
struct PNGPartialChunks {
    enum Piece: Equatable {
        /// The signature, or a whole chunk in front of the pixels.
        case head(Range<Int>)
        /// Length and name of a chunk of pixels. Of the first one, two bytes that are packed have come too, if it has so many.
        case name(Range<Int>)
        /// Packed pixels, as much as there is of a chunk.
        case pixels(Range<Int>)
        /// The check sum of a chunk of pixels, or a part of it.
        case checksum(Range<Int>)
    }

    private static let needed: Set<PNGChunks.ChunkType> = [.header, .palette, .transparency]

    /// Where the next byte to look at is. May lie behind those that have come.
    private var position = 0
    /// Where the packed pixels of the chunk that has begun end.
    private var end: Int?
    private var hasPixels = false
    private var isOver = false

    /// - Parameter file: all bytes so far.
    /// - Returns: `nil` when more has to come, or nothing will.
    mutating func next(in file: BoundedBytes) -> Piece? {
        guard position > 0 else {
            return file.count < PNGChunks.signature.count ? nil : .head(advance(to: PNGChunks.signature.count))
        }
        while !isOver {
            if let end {
                if position < end { return position < file.count ? .pixels(advance(to: min(end, file.count))) : nil }
                if position < end + 4 {
                    return position < file.count ? .checksum(advance(to: min(end + 4, file.count))) : nil
                }
                self.end = nil
            }
            guard let length = file.bigEndian32(at: position), let name = file.bigEndian32(at: position + 4) else {
                return nil
            }
            // A length is below 2³², so the sums cannot overflow.
            let next = position + 12 + length
            let type = PNGChunks.ChunkType(name: name)
            switch type {
            case .pixels:
                guard hasPixels || file.count >= position + 10 else { return nil }
                hasPixels = true
                end = next - 4
                return .name(advance(to: position + 8))
            case .end: isOver = true
            case _ where !hasPixels && Self.needed.contains(type):
                return next <= file.count ? .head(advance(to: next)) : nil
            default: position = next
            }
        }
        return nil
    }

    private mutating func advance(to next: Int) -> Range<Int> {
        defer { position = next }
        return position..<next
    }
}
#endif
