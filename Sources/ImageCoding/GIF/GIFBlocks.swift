#if GIF
import Pixels

/// What a GIF's blocks say (GIF89a §17–25), found by walking their lengths; no pixel is unpacked.
struct GIFBlocks {
    let canvas: PixelSize
    /// Where the first picture lies; `nil` when the bytes end before it.
    private(set) var firstPlace: PixelRect?
    /// The colour index of the first picture that is transparent.
    private(set) var firstTransparentIndex: UInt8?
    private(set) var isFirstInterlaced = false
    /// How many pictures there are; `nil` when the bytes end before the trailer, or the walk was given up.
    private(set) var frameCount: Int?

    /// A picture of 100 MB has about 400,000 blocks of pixels.
    private static let limit = 1 << 20

    /// - Throws: ``CodingError`` with `truncated` when the canvas is not known, `malformed` for another signature.
    init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
        let bytes = BoundedBytes(bytes)
        guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) else {
            throw CodingError(.malformed, "The bytes do not begin with GIF's signature.", format: .gif)
        }
        guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8), let flags = bytes[10]
        else {
            throw CodingError(.truncated, "The GIF ends in its header.", format: .gif)
        }
        canvas = PixelSize(width: width, height: height)
        walk(bytes, from: 13 + Self.paletteLength(flags))
    }

    /// The bytes of a palette announced by a flag byte, none without a palette.
    private static func paletteLength(_ flags: UInt8) -> Int {
        flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0
    }

    private mutating func walk(_ bytes: BoundedBytes, from start: Int) {
        var position = start
        var frames = 0
        var blocks = 0
        var transparentIndex: UInt8?
        while let introducer = bytes[position] {
            switch introducer {
            case 0x21:  // an extension
                if bytes[position + 1] == 0xF9, bytes[position + 2] ?? 0 >= 4, let flags = bytes[position + 3],
                    let index = bytes[position + 6]
                {
                    transparentIndex = flags & 1 != 0 ? index : nil
                }
                position += 2
            case 0x2C:  // a picture
                guard let place = Self.place(bytes, at: position + 1), let flags = bytes[position + 9] else { return }
                if frames == 0 {
                    firstPlace = place
                    firstTransparentIndex = transparentIndex
                    isFirstInterlaced = flags & 0x40 != 0
                }
                frames += 1
                transparentIndex = nil
                position += 11 + Self.paletteLength(flags)
            case 0x3B:  // the trailer
                frameCount = frames
                return
            default: return
            }
            // Blocks of up to 255 bytes follow; an empty one ends them.
            while let length = bytes[position], length > 0, blocks < Self.limit {
                position += 1 + Int(length)
                blocks += 1
            }
            guard blocks < Self.limit else { return }
            position += 1
        }
    }

    private static func place(_ bytes: BoundedBytes, at offset: Int) -> PixelRect? {
        guard let left = bytes.littleEndian16(at: offset), let top = bytes.littleEndian16(at: offset + 2),
            let width = bytes.littleEndian16(at: offset + 4), let height = bytes.littleEndian16(at: offset + 6)
        else { return nil }
        return PixelRect(x: left, y: top, width: width, height: height)
    }
}
#endif
