import ByteBuffers
import ImageCoding
import Pixels
import Synchronization

/// Frames that are made up, and a note of every one that was drawn.
///
/// A frame's own pixels are all of one colour that names it, opaque or half transparent.
final class CountedFrames: FrameSource {
    let header: AnimationHeader
    let isSequential: Bool
    private let drawn = Mutex<[Int]>([])
    /// The frame that cannot be drawn.
    private let broken: Int?

    init(
        _ frames: [FrameHeader], canvas: PixelSize = PixelSize(width: 8, height: 6), broken: Int? = nil,
        isSequential: Bool = false
    ) {
        header = AnimationHeader(format: .gif, canvas: canvas, frames: frames)
        self.broken = broken
        self.isSequential = isSequential
    }

    /// The frames that were drawn since the last call.
    func takeDrawn() -> [Int] {
        drawn.withLock { drawn in
            defer { drawn = [] }
            return drawn
        }
    }

    func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError) {
        drawn.withLock { $0.append(index) }
        if index == broken { throw CodingError(.malformed, "a broken frame") }
        let frame = header.frames[index]
        let place = frame.place.clamped(to: header.canvas)
        for y in place.y..<place.y + place.height {
            for x in place.x..<place.x + place.width {
                // Clear where a frame that is laid over others lets them through.
                let isClear = frame.hasAlpha && (x + y + index) % 3 == 0
                if isClear && frame.blending == .over { continue }
                canvas.base.storeBytes(
                    of: isClear ? 0 : 0xFF00_0000 | UInt32(index + 1), toByteOffset: y * canvas.bytesPerRow + x * 4,
                    as: UInt32.self)
            }
        }
    }
}

/// The same numbers in every run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension FrameHeader {
    /// Any frame, whole or not, that may stand out of a canvas of 8 × 6.
    static func random(using numbers: inout SeededNumbers) -> FrameHeader {
        let isWhole = Int.random(in: 0..<4, using: &numbers) == 0
        let place =
            isWhole
            ? PixelRect(x: 0, y: 0, width: 8, height: 6)
            : PixelRect(
                x: .random(in: 0...9, using: &numbers), y: .random(in: 0...7, using: &numbers),
                width: .random(in: 0...8, using: &numbers), height: .random(in: 0...6, using: &numbers))
        return FrameHeader(
            place: place, hasAlpha: .random(using: &numbers), blending: .random(using: &numbers) ? .over : .replace,
            disposal: [.keep, .keep, .clear, .restore].randomElement(using: &numbers) ?? .keep)
    }
}
