#if GIF
import Pixels

/// What a GIF's blocks say (GIF89a §17–26), found by walking their lengths; no pixel is unpacked.
struct GIFBlocks {
    /// One picture of the file.
    struct Picture {
        /// Where it lies; may leave the canvas.
        let place: PixelRect
        let control: Control
        let isInterlaced: Bool
        /// The bytes from its description to the end of its pixels, cut where the file ends.
        let bytes: Range<Int>
        /// Where the blocks of its pixels begin, behind its palette.
        let blocks: Int
    }

    /// What a graphic control extension says of the picture behind it (GIF89a §23).
    struct Control {
        /// In hundredths of a second.
        var delay = 0
        var disposal = 0
        /// The colour index that is transparent.
        var transparentIndex: UInt8?
    }

    let canvas: PixelSize
    /// The signature, the canvas and the palette for all pictures.
    let head: Range<Int>
    /// The first whole pictures, as many as were asked for, and the very first even when it is cut off.
    private(set) var pictures: [Picture] = []
    /// How many pictures there are; `nil` when the bytes end before the trailer, or the walk was given up.
    private(set) var frameCount: Int?
    /// How often the pictures are shown again after the first time, 0 for ever; `nil` when they are shown once.
    private(set) var repetitions: Int?
    /// Where the first XMP packet is.
    private(set) var xmp: Range<Int>?

    /// A picture of 100 MB has about 400,000 blocks of pixels.
    private static let limit = 1 << 20

    /// - Parameter count: how many pictures are noted; the walk ends when there are more.
    /// - Throws: ``CodingError`` with `truncated` when the canvas is not known, `malformed` for another signature.
    init(_ bytes: UnsafeRawBufferPointer, noting count: Int) throws(CodingError) {
        let bytes = BoundedBytes(bytes)
        guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) else {
            throw CodingError(.malformed, "The bytes do not begin with GIF's signature.", format: .gif)
        }
        guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8), let flags = bytes[10]
        else {
            throw CodingError(.truncated, "The GIF ends in its header.", format: .gif)
        }
        canvas = PixelSize(width: width, height: height)
        head = 0..<13 + Self.paletteLength(flags)
        walk(bytes, noting: count)
    }

    /// The bytes of a palette announced by a flag byte, none without a palette.
    private static func paletteLength(_ flags: UInt8) -> Int {
        flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0
    }

    private mutating func walk(_ bytes: BoundedBytes, noting count: Int) {
        var position = head.upperBound
        var frames = 0
        var blocks = 0
        var control = Control()
        while let introducer = bytes[position] {
            let start = position
            var place: PixelRect?
            switch introducer {
            case 0x21:  // an extension
                control = Self.control(bytes, at: position) ?? control
                repetitions = Self.repetitions(bytes, at: position) ?? repetitions
                position += 2
            case 0x2C:  // a picture
                place = Self.place(bytes, at: position + 1)
                guard place != nil, let flags = bytes[position + 9] else { return }
                position += 11 + Self.paletteLength(flags)
            case 0x3B:  // the trailer
                frameCount = frames
                return
            default: return
            }
            let firstBlock = position
            // Blocks of up to 255 bytes follow; an empty one ends them.
            while let length = bytes[position], length > 0, blocks < Self.limit {
                position += 1 + Int(length)
                blocks += 1
            }
            let isWhole = bytes[position] == 0
            if let place, isWhole || frames == 0, pictures.count < count {
                let isInterlaced = (bytes[start + 9] ?? 0) & 0x40 != 0
                pictures.append(
                    Picture(
                        place: place, control: control, isInterlaced: isInterlaced,
                        bytes: start..<min(position + 1, bytes.count), blocks: firstBlock))
            }
            if place != nil {
                frames += 1
                control = Control()
            }
            guard isWhole, blocks < Self.limit else { return }
            if introducer == 0x21 { xmp = xmp ?? GIFMetadata.packet(bytes, from: start, to: position) }
            position += 1
        }
    }

    private static func place(_ bytes: BoundedBytes, at offset: Int) -> PixelRect? {
        guard let left = bytes.littleEndian16(at: offset), let top = bytes.littleEndian16(at: offset + 2),
            let width = bytes.littleEndian16(at: offset + 4), let height = bytes.littleEndian16(at: offset + 6)
        else { return nil }
        return PixelRect(x: left, y: top, width: width, height: height)
    }

    private static func control(_ bytes: BoundedBytes, at offset: Int) -> Control? {
        guard bytes[offset + 1] == 0xF9, bytes[offset + 2] ?? 0 >= 4, let flags = bytes[offset + 3],
            let delay = bytes.littleEndian16(at: offset + 4), let index = bytes[offset + 6]
        else { return nil }
        return Control(delay: delay, disposal: Int(flags >> 2 & 7), transparentIndex: flags & 1 != 0 ? index : nil)
    }

    /// The extension that Netscape Navigator 2.0 brought in, known by two names.
    private static func repetitions(_ bytes: BoundedBytes, at offset: Int) -> Int? {
        guard bytes[offset + 1] == 0xFF, bytes[offset + 2] == 11,
            bytes.has("NETSCAPE2.0", at: offset + 3) || bytes.has("ANIMEXTS1.0", at: offset + 3),
            bytes[offset + 14] ?? 0 >= 3, bytes[offset + 15] ?? 0 & 7 == 1
        else { return nil }
        return bytes.littleEndian16(at: offset + 16)
    }
}
#endif
