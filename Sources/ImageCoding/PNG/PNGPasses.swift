#if PNG
import Pixels

/// The picture of an interlaced PNG as far as it has come, in finished pixels: each is converted once, and a pass is shown
/// by repeating those that are there (PNG 3rd ed. §8.1, Adam7).
struct PNGPasses {
    /// Where a pass's pixels are, and the blocks that show the picture when the pass is whole.
    private struct Pass {
        let x: Int
        let y: Int
        let stepX: Int
        let stepY: Int
        let blockWidth: Int
        let blockHeight: Int
    }

    private static let passes = [
        Pass(x: 0, y: 0, stepX: 8, stepY: 8, blockWidth: 8, blockHeight: 8),
        Pass(x: 4, y: 0, stepX: 8, stepY: 8, blockWidth: 4, blockHeight: 8),
        Pass(x: 0, y: 4, stepX: 4, stepY: 8, blockWidth: 4, blockHeight: 4),
        Pass(x: 2, y: 0, stepX: 4, stepY: 4, blockWidth: 2, blockHeight: 4),
        Pass(x: 0, y: 2, stepX: 2, stepY: 4, blockWidth: 2, blockHeight: 2),
        Pass(x: 1, y: 0, stepX: 2, stepY: 2, blockWidth: 1, blockHeight: 2),
        Pass(x: 0, y: 1, stepX: 1, stepY: 2, blockWidth: 1, blockHeight: 1),
    ]

    private let size: PixelSize
    private let transform: ColorTransform
    private let pixelBytes: Int
    private let frame: RowRoom
    private let row: RowRoom
    /// The newest pass that is whole.
    private var newest: Int?
    private var shown: Int?

    init(_ size: PixelSize, _ transform: ColorTransform) throws(CodingError) {
        self.size = size
        self.transform = transform
        pixelBytes = transform.format.bytesPerPixel
        let finished = SampleLayout(channels: .rgba, component: transform.format.component)
        frame = try RowRoom(size.height, of: size.width, finished)
        row = try RowRoom(1, of: size.width, finished)
    }

    /// Takes one row of a pass, as libpng makes it.
    mutating func take(_ samples: UnsafeRawPointer, row number: Int, of index: Int) {
        guard Self.passes.indices ~= index else { return }
        let pass = Self.passes[index]
        let y = pass.y + number * pass.stepY
        guard number >= 0, y < size.height, pass.x < size.width else { return }
        let count = (size.width - pass.x + pass.stepX - 1) / pass.stepX
        let target = frame.strip.base + y * frame.strip.bytesPerRow + pass.x * pixelBytes
        if pass.stepX == 1 {
            transform.convert(samples, into: target, count: count)
        } else {
            transform.convert(samples, into: row.strip.base, count: count)
            Self.spread(
                row.strip.base, into: target, count: count, stride: pass.stepX * pixelBytes, pixelBytes: pixelBytes)
        }
        if y + pass.stepY >= size.height { newest = index }
    }

    /// - Returns: whether a pass has become whole since the last call.
    mutating func hasNews() -> Bool {
        defer { shown = newest }
        return shown != newest
    }

    /// Writes rows of the newest pass that is whole, each pixel as a block.
    func fill(_ strip: RowStrip, _ rows: Range<Int>) {
        guard let newest else { return }
        let pass = Self.passes[newest]
        let rowBytes = size.width * pixelBytes
        for y in rows {
            let target = strip.base + (y - rows.lowerBound) * strip.bytesPerRow
            let source = y / pass.blockHeight * pass.blockHeight
            if y > rows.lowerBound, source < y {
                // The same block as the row above.
                target.copyMemory(from: target - strip.bytesPerRow, byteCount: rowBytes)
            } else {
                let known = frame.strip.base + source * frame.strip.bytesPerRow
                Self.widen(known, into: target, width: size.width, block: pass.blockWidth, pixelBytes: pixelBytes)
            }
        }
    }

    private static func spread(
        _ pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int, stride: Int, pixelBytes: Int
    ) {
        for x in 0..<count {
            copyPixel(pixels + x * pixelBytes, to: target + x * stride, byteCount: pixelBytes)
        }
    }

    private static func widen(
        _ known: UnsafeRawPointer, into target: UnsafeMutableRawPointer, width: Int, block: Int, pixelBytes: Int
    ) {
        guard block > 1 else { return target.copyMemory(from: known, byteCount: width * pixelBytes) }
        for start in stride(from: 0, to: width, by: block) {
            for x in start..<min(start + block, width) {
                copyPixel(known + start * pixelBytes, to: target + x * pixelBytes, byteCount: pixelBytes)
            }
        }
    }

    /// Pixels have four or eight bytes.
    @inline(__always)
    private static func copyPixel(
        _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, byteCount: Int
    ) {
        if byteCount == 4 {
            target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
        } else {
            target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
        }
    }
}
#endif
