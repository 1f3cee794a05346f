#if JPEGXL
import Pixels

/// All pixels of a picture that libjxl writes group by group, and which of them it has written.
///
/// libjxl does not say which. So the memory is marked before, with what no pixel is: no opaque one, and of the others one
/// that is as rare as any. Should a picture have it, its row is taken for one that is still missing until all have come.
struct JXLFrame {
    private static let mark: UInt32 = 0x9C31_E75B
    /// The distance of the pixels that stand for the area around them. libjxl's groups are no smaller with loss.
    private static let sampleStep = 256

    let strip: RowStrip
    let byteCount: Int
    private let room: RowRoom
    private let size: PixelSize
    private let pixelBytes: Int
    /// Up to here, in this row and all above it, libjxl has written.
    private(set) var row = 0
    private var column = 0
    /// Pixels for whose areas the final ones had not come when the picture was flushed.
    private var samples: [UnsafeMutableRawPointer] = []
    private var sampleCount = 0

    init(_ size: PixelSize, _ layout: SampleLayout) throws(CodingError) {
        room = try RowRoom(size.height, of: size.width, layout)
        strip = room.strip
        self.size = size
        pixelBytes = layout.bytesPerPixel
        byteCount = strip.bytesPerRow * size.height
        let words = strip.base.bindMemory(to: UInt32.self, capacity: byteCount / 4)
        words.update(repeating: Self.mark, count: byteCount / 4)
    }

    /// Counts the rows from the top that libjxl has written. Each pixel is looked at once.
    mutating func countRows() {
        while row < size.height {
            let start = strip.base + row * strip.bytesPerRow
            while column < size.width {
                guard !isMarked(start + column * pixelBytes) else { return }
                column += 1
            }
            column = 0
            row += 1
        }
    }

    /// Calls `flush`, which writes all pixels as well as they are known, and keeps in mind which of them were final.
    mutating func flush(_ flush: () -> Bool) -> Bool {
        let step = Self.sampleStep
        let all = stride(from: 0, to: size.height, by: step).flatMap { y in
            stride(from: 0, to: size.width, by: step).map { x in
                strip.base + min(y + step / 2, size.height - 1) * strip.bytesPerRow
                    + min(x + step / 2, size.width - 1) * pixelBytes
            }
        }
        let missing = all.filter { isMarked($0) }
        guard flush() else { return false }
        (samples, sampleCount) = (missing, all.count)
        return true
    }

    /// Marks those pixels again that are not final, once what was flushed has been taken.
    func markSamples() {
        for sample in samples {
            sample.storeBytes(of: Self.mark, as: UInt32.self)
            (sample + pixelBytes - 4).storeBytes(of: Self.mark, as: UInt32.self)
        }
    }

    /// At least three quarters of the picture are final.
    var isMostlyFinal: Bool { samples.count { isMarked($0) } * 4 <= sampleCount }

    /// Looks at the first and the last four bytes: all of them, but for floats.
    private func isMarked(_ pixel: UnsafeRawPointer) -> Bool {
        pixel.load(as: UInt32.self) == Self.mark
            && (pixel + pixelBytes - 4).load(as: UInt32.self) == Self.mark
    }
}
#endif
