import Pixels

/// What changes from one frame to the next.
enum FrameDifference {
    /// The smallest rectangle outside of which two bitmaps of one size and four bytes a pixel are the same; one pixel when
    /// nothing changes, since every format wants a frame to have one.
    static func place(from before: Bitmap, to after: Bitmap) -> PixelRect {
        let rows = changedRows(from: before, to: after)
        guard let top = rows.first, let bottom = rows.last else { return PixelRect(x: 0, y: 0, width: 1, height: 1) }
        var left = after.width
        var right = 0
        before.withUnsafeBytes { old in
            after.withUnsafeBytes { new in
                guard let old = old.baseAddress, let new = new.baseAddress else { return }
                for row in rows {
                    let (old, new) = (old + row * before.bytesPerRow, new + row * after.bytesPerRow)
                    func isSame(_ x: Int) -> Bool {
                        old.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
                            == new.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
                    }
                    var x = 0
                    while x < left && isSame(x) { x += 1 }
                    left = min(left, x)
                    x = after.width
                    while x > right && isSame(x - 1) { x -= 1 }
                    right = max(right, x)
                }
            }
        }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top + 1)
    }

    private static func changedRows(from before: Bitmap, to after: Bitmap) -> [Int] {
        before.withUnsafeBytes { old in
            after.withUnsafeBytes { new in
                (0..<after.height).filter { row in
                    let old = old[row * before.bytesPerRow..<row * before.bytesPerRow + after.width * 4]
                    let new = new[row * after.bytesPerRow..<row * after.bytesPerRow + after.width * 4]
                    return !UnsafeRawBufferPointer(rebasing: old).elementsEqual(UnsafeRawBufferPointer(rebasing: new))
                }
            }
        }
    }
}

extension Bitmap {
    /// A copy of a part, four bytes a pixel.
    ///
    /// - Parameter place: inside of the bitmap.
    func part(_ place: PixelRect, as format: PixelFormat) throws -> Bitmap {
        var part = try Bitmap(uninitialized: place.size, format: format)
        let stride = part.bytesPerRow
        try part.withUnsafeMutableBytes { target in
            withUnsafeBytes { source in
                guard let target = target.baseAddress, let source = source.baseAddress else { return }
                for row in 0..<place.height {
                    (target + row * stride).copyMemory(
                        from: source + (place.y + row) * bytesPerRow + place.x * 4, byteCount: place.width * 4)
                }
            }
        }
        return part
    }
}
