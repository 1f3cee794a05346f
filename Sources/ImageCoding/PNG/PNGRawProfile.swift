#if PNG
import ByteBuffers
import CPNGStream

/// EXIF or XMP as hexadecimal digits in a text chunk: what ImageMagick and exiftool wrote before PNG had a place for them,
/// and still write.
///
/// Behind the keyword stand a line with the name, a line with the number of bytes, and lines of digits.
struct PNGRawProfile {
    /// Which text chunks hold one, by their keyword.
    enum Kind: CaseIterable {
        case exif
        case xmp
        /// A JPEG's segment: either.
        case segment

        fileprivate var keyword: StaticString {
            switch self {
            case .exif: "Raw profile type exif\0"
            case .xmp: "Raw profile type xmp\0"
            case .segment: "Raw profile type APP1\0"
            }
        }
    }

    /// Each byte takes two digits; every 36 or more of them a line break.
    private static let longestText = ImageMetadata.maximumByteCount / 8 * 17

    let kind: Kind
    private let text: UnsafeRawBufferPointer
    private let isPacked: Bool

    /// `nil` for every other text.
    init?(_ chunk: PNGChunks.Chunk) {
        let content = BoundedBytes(chunk.content)
        guard let kind = Kind.allCases.first(where: { content.has($0.keyword, at: 0) }) else { return nil }
        self.kind = kind
        isPacked = chunk.type == .packedText
        // One byte names the way of packing, of which there is one.
        let start = kind.keyword.utf8CodeUnitCount + (isPacked ? 1 : 0)
        text = UnsafeRawBufferPointer(rebasing: chunk.content.dropFirst(start))
    }

    /// What the digits say; `nil` when they are fewer than they are said to be, or more than is read of metadata.
    var bytes: Bytes? {
        guard isPacked else { return Self.bytes(text) }
        var count = 0
        guard let memory = cpng_unpack(text.baseAddress, text.count, Self.longestText, &count) else { return nil }
        return Bytes(adopting: memory, count: count).withUnsafeBytes(Self.bytes)
    }

    private static func bytes(_ text: UnsafeRawBufferPointer) -> Bytes? {
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: true)
        guard lines.count == 3, let count = Int(String(decoding: lines[1].drop { $0 == 0x20 }, as: UTF8.self)),
            0 < count, count <= ImageMetadata.maximumByteCount, count <= lines[2].count / 2
        else { return nil }
        return try? Bytes(capacity: count) { room in
            var (filled, half): (Int, UInt8?) = (0, nil)
            for character in lines[2] where filled < count {
                guard let digit = Self.digit(character) else { continue }
                if let high = half {
                    room[filled] = high << 4 | digit
                    (filled, half) = (filled + 1, nil)
                } else {
                    half = digit
                }
            }
            return filled == count ? count : 0
        }
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
#endif
