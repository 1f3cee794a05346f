#if PNG
/// What libpng needs of a PNG that is still coming, in the order of the file: each byte once, none of the chunks that
/// pixels do not need.
struct PNGPartialChunks {
    enum Piece: Equatable {
        /// The signature, or a whole chunk in front of the pixels.
        case head(Range<Int>)
        /// Length and name of the first chunk of pixels.
        case firstPixels(Range<Int>)
        /// More of a chunk of pixels, as much as there is of it.
        case pixels(Range<Int>)
    }

    private static let needed: Set<PNGChunks.ChunkType> = [.header, .palette, .transparency]

    /// Where the next byte to look at is. May lie behind those that have come.
    private var position = 0
    /// Where the chunk of pixels that has begun ends, check sum and all.
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
                guard position < min(end, file.count) else { return nil }
                let piece = advance(to: min(end, file.count))
                if position == end { self.end = nil }
                return .pixels(piece)
            }
            guard let length = file.bigEndian32(at: position), let name = file.bigEndian32(at: position + 4) else {
                return nil
            }
            // A length is below 2³², so the sum cannot overflow.
            let next = position + 12 + length
            let type = PNGChunks.ChunkType(name: name)
            switch type {
            case .pixels:
                end = next
                if !hasPixels {
                    hasPixels = true
                    return .firstPixels(advance(to: position + 8))
                }
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
