#if GIF
import Pixels

/// Pixels as GIF can store them: opaque, or not there.
enum GIFPixels {
    /// A copy with opaque colours, and 0 where a pixel is less than half opaque.
    static func flattened(_ bitmap: Bitmap) throws -> Bitmap {
        guard !bitmap.format.isOpaque else { return bitmap }
        var copy = bitmap
        try copy.withUnsafeMutableBytes { pixels in
            guard let base = pixels.baseAddress else { return }
            for row in 0..<bitmap.height {
                let line = base + row * bitmap.bytesPerRow
                Premultiplication.divide(line, into: line, count: bitmap.width)
                for offset in stride(from: 0, to: bitmap.width * 4, by: 4) {
                    let pixel = line.load(fromByteOffset: offset, as: UInt32.self)
                    line.storeBytes(
                        of: pixel >> 24 < 128 ? 0 : pixel | 0xFF00_0000, toByteOffset: offset, as: UInt32.self)
                }
            }
        }
        return copy
    }

    /// A pixel that was opaque is transparent in the next frame. Both are flattened and of one size.
    static func isUncovered(from before: Bitmap, to after: Bitmap) -> Bool {
        guard !after.format.isOpaque else { return false }
        return before.withUnsafeBytes { old in
            after.withUnsafeBytes { new in
                (0..<after.height).contains { row in
                    (0..<after.width).contains { x in
                        new.load(fromByteOffset: row * after.bytesPerRow + x * 4 + 3, as: UInt8.self) == 0
                            && old.load(fromByteOffset: row * before.bytesPerRow + x * 4 + 3, as: UInt8.self) != 0
                    }
                }
            }
        }
    }

    /// The pixels of a part that differ from what is there, without gaps between the rows, and 0 for those that do not.
    ///
    /// - Parameter before: `nil` for an empty canvas.
    static func changes(from before: Bitmap?, to after: Bitmap, in place: PixelRect) throws -> Bitmap {
        // One long row: those of a bitmap have gaps between them.
        var changes = try Bitmap(
            uninitialized: PixelSize(width: place.width * place.height, height: 1), format: .rgba8)
        try changes.withUnsafeMutableBytes { target in
            guard var target = target.baseAddress else { return }
            after.withUnsafeBytes { new in
                for row in place.y..<place.y + place.height {
                    for x in place.x..<place.x + place.width {
                        target.storeBytes(
                            of: new.load(fromByteOffset: row * after.bytesPerRow + x * 4, as: UInt32.self),
                            as: UInt32.self)
                        target += 4
                    }
                }
            }
            guard let before else { return }
            target -= place.width * place.height * 4
            before.withUnsafeBytes { old in
                for row in place.y..<place.y + place.height {
                    for x in place.x..<place.x + place.width {
                        let there = old.load(fromByteOffset: row * before.bytesPerRow + x * 4, as: UInt32.self)
                        if target.load(as: UInt32.self) == there { target.storeBytes(of: 0, as: UInt32.self) }
                        target += 4
                    }
                }
            }
        }
        return changes
    }
}
#endif
