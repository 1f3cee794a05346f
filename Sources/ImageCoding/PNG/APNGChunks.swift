#if PNG
import CPNGStream
import Pixels

/// The frames of an animated PNG, found by the lengths of its chunks (PNG 3rd ed. §11.3.6); no pixel is unpacked.
///
/// A number of the sequence that is missing or comes too early, a frame outside of the canvas, a value that the standard
/// does not know, or a chunk that is cut off or damaged ends the walk. The frames before it are good.
struct APNGChunks {
    struct Frame {
        let header: FrameHeader
        /// The packed pixels, without the numbers of the sequence.
        var pixels: [Range<Int>] = []
        /// The chunks that they are in, each from its length to its check sum.
        var chunks: [Range<Int>] = []
    }

    /// The content of the header chunk.
    let header: [UInt8]
    let canvas: PixelSize
    /// The chunks between header and pixels that a frame needs for its colours.
    private(set) var shared: [Range<Int>] = []
    private(set) var frames: [Frame] = []
    private(set) var loopCount = 0
    private(set) var isComplete = false

    private let hasAlphaChannel: Bool
    private var hasTransparency = false
    private var announced: Int?
    private var open: Frame?
    private var nextNumber = 0
    private var isBehindFirstPixels = false

    /// What a decoder may need besides the palette to tell colours.
    private static let colors: [PNGChunks.ChunkType] = [
        .palette, .transparency, PNGChunks.ChunkType("gAMA"), PNGChunks.ChunkType("cHRM"),
        PNGChunks.ChunkType("sRGB"), PNGChunks.ChunkType("iCCP"), PNGChunks.ChunkType("cICP"),
    ]

    /// - Parameter count: the walk ends when so many frames are whole.
    /// - Returns: `nil` when the header cannot be read.
    init?(_ bytes: UnsafeRawBufferPointer, noting count: Int) {
        guard var chunks = PNGChunks(BoundedBytes(bytes)), let first = chunks.next(), first.type == .header,
            first.content.count == 13, let width = BoundedBytes(first.content).bigEndian32(at: 0),
            let height = BoundedBytes(first.content).bigEndian32(at: 4)
        else { return nil }
        header = Array(first.content)
        canvas = PixelSize(width: width, height: height)
        hasAlphaChannel = first.content[9] & 4 != 0
        for chunk in chunks {
            guard let place = chunk.place, add(chunk, at: place, in: bytes) else { return }
            if frames.count >= count {
                isComplete = true
                return
            }
        }
    }

    /// - Returns: `false` when the walk has to end.
    private mutating func add(_ chunk: PNGChunks.Chunk, at place: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool
    {
        let content = BoundedBytes(chunk.content)
        switch chunk.type {
        case .animationControl where announced == nil && !isBehindFirstPixels:
            guard isWhole(place, in: bytes), let frames = content.bigEndian32(at: 0), frames > 0,
                let plays = content.bigEndian32(at: 4)
            else { return false }
            announced = frames
            loopCount = plays
        case .frameControl:
            close()
            guard let announced, frames.count < announced, isWhole(place, in: bytes), isNext(content) else {
                return false
            }
            open = frame(content)
            return open != nil
        case .pixels:
            isBehindFirstPixels = true
            // Without a frame's description in front the default picture is not part of the animation.
            add(place.lowerBound + 8..<place.upperBound - 4, in: place)
        case .framePixels:
            guard isBehindFirstPixels, open != nil, isNext(content) else { return spoil() }
            add(place.lowerBound + 12..<place.upperBound - 4, in: place)
        case .end:
            close()
            isComplete = frames.count == announced
            return false
        case _ where !isBehindFirstPixels && Self.colors.contains(chunk.type):
            if chunk.type == .transparency { hasTransparency = true }
            shared.append(place)
        default: break
        }
        return true
    }

    private mutating func add(_ pixels: Range<Int>, in chunk: Range<Int>) {
        open?.pixels.append(pixels)
        open?.chunks.append(chunk)
    }

    /// The frame whose description came last is whole.
    private mutating func close() {
        if let open, !open.pixels.isEmpty { frames.append(open) }
        open = nil
    }

    /// The frame whose description came last is not.
    private mutating func spoil() -> Bool {
        open = nil
        return false
    }

    private mutating func isNext(_ content: BoundedBytes) -> Bool {
        guard content.bigEndian32(at: 0) == nextNumber else { return false }
        nextNumber += 1
        return true
    }

    private func isWhole(_ place: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        Self.isWhole(place, in: bytes)
    }

    /// The check sum of a chunk is right.
    static func isWhole(_ place: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        let chunk = BoundedBytes(bytes).slice(place.lowerBound + 4..<place.upperBound - 4)
        return BoundedBytes(bytes).bigEndian32(at: place.upperBound - 4).map(UInt32.init(clamping:))
            == cpng_stream_checksum(0, chunk.baseAddress, chunk.count)
    }

    private func frame(_ content: BoundedBytes) -> Frame? {
        guard let width = content.bigEndian32(at: 4), let height = content.bigEndian32(at: 8),
            let x = content.bigEndian32(at: 12), let y = content.bigEndian32(at: 16),
            let numerator = content.bigEndian16(at: 20), let denominator = content.bigEndian16(at: 22),
            let disposal = content[24], let blending = content[25], disposal <= 2, blending <= 1
        else { return nil }
        let place = PixelRect(x: x, y: y, width: width, height: height)
        guard !place.isEmpty, place.clamped(to: canvas) == place,
            isBehindFirstPixels || place == PixelRect(canvas)
        else { return nil }
        return Frame(
            header: FrameHeader(
                place: place,
                // Hundredths when the file does not say of what.
                delay: .seconds(numerator) / (denominator == 0 ? 100 : denominator),
                hasAlpha: hasAlphaChannel || hasTransparency, blending: blending == 1 ? .over : .replace,
                disposal: [.keep, .clear, .restore][Int(disposal)]))
    }
}
#endif
