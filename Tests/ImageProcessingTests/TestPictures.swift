import Foundation
import Pixels
import WebImageTesting

@testable import ImageProcessing

extension Bitmap {
    init(
        _ width: Int, _ height: Int, format: PixelFormat = .rgba8, pixel: (Int, Int) -> (UInt8, UInt8, UInt8, UInt8)
    ) throws {
        try self.init(uninitialized: PixelSize(width: width, height: height), format: format)
        let stride = bytesPerRow
        try withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let (r, g, b, a) = pixel(x, y)
                    let at = y * stride + x * 4
                    (bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]) = (r, g, b, a)
                }
            }
        }
    }

    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1, opaque: Bool = false) throws -> Bitmap {
        var random = SeededGenerator(seed: seed)
        return try Bitmap(width, height, format: opaque ? .rgbx8 : .rgba8) { _, _ in
            let a: UInt8 = opaque ? 255 : .random(in: 0...255, using: &random)
            return (
                .random(in: 0...a, using: &random), .random(in: 0...a, using: &random),
                .random(in: 0...a, using: &random), a
            )
        }
    }

    /// The numbers of a picture of 16 bits.
    var levels: [Int] {
        let bytes = pixels
        return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }

    /// The pixels' bytes without the rows' padding.
    var pixels: [UInt8] {
        withUnsafeBytes { bytes in
            (0..<height).flatMap { bytes[$0 * bytesPerRow..<$0 * bytesPerRow + width * format.bytesPerPixel] }
        }
    }

    /// A picture that another program wrote.
    static func golden(_ name: String) throws -> Bitmap {
        let url = Bundle.module.bundleURL.appending(path: "Fixtures/\(name).rgba")
        let bytes = [UInt8](try Data(contentsOf: url))
        let (width, height) = (Int(bytes[0]) + Int(bytes[1]) << 8, Int(bytes[4]) + Int(bytes[5]) << 8)
        return try Bitmap(width, height) { x, y in
            let at = 8 + (y * width + x) * 4
            return (bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
        }
    }
}

/// The largest and the mean distance of two pictures' bytes.
func distance(_ left: Bitmap, _ right: Bitmap) -> (most: Int, mean: Double) {
    let steps = zip(left.pixels, right.pixels).map { abs(Int($0) - Int($1)) }
    return (steps.max() ?? 0, Double(steps.reduce(0, +)) / Double(max(1, steps.count)))
}

/// Hands a picture to a sink, some rows at a time; the lent memory is poisoned first.
func feed(_ bitmap: Bitmap, to sink: ResamplingSink, rowsAtOnce: Int) throws -> Bitmap? {
    try sink.begin(RowHeader(size: bitmap.size, format: bitmap.format))
    var row = 0
    while row < bitmap.height {
        let strip = try sink.nextStrip()
        let count = min(rowsAtOnce, strip.rowCount)
        bitmap.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<strip.rowCount {
                let target = strip.base + y * strip.bytesPerRow
                _ = UnsafeMutableRawBufferPointer(start: target, count: bitmap.width * 4).initializeMemory(
                    as: UInt8.self, repeating: 0xA5)
                if y < count {
                    target.copyMemory(from: base + (row + y) * bitmap.bytesPerRow, byteCount: bitmap.width * 4)
                }
            }
        }
        try sink.commit(rows: count)
        row += count
    }
    return sink.takeBitmap()
}
