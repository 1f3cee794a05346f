import Pixels

/// A whole picture as room for a decoder whose rows cannot go straight to the sink.
extension Bitmap {
    /// Lends all rows for writing.
    mutating func withRows(_ body: (RowStrip) throws -> Void) throws {
        let (bytesPerRow, height) = (bytesPerRow, height)
        try withUnsafeMutableBytes { pixels in
            guard let base = pixels.baseAddress else { return }
            try body(RowStrip(base: base, bytesPerRow: bytesPerRow, rowCount: height))
        }
    }

    /// Copies a rectangle, which must lie inside, to the start of a strip that has room for it.
    func copy(_ rect: PixelRect, to strip: RowStrip) {
        withUnsafeBytes { pixels in
            guard let base = pixels.baseAddress else { return }
            for row in 0..<rect.height {
                (strip.base + row * strip.bytesPerRow).copyMemory(
                    from: base + (rect.y + row) * bytesPerRow + rect.x * format.bytesPerPixel,
                    byteCount: rect.width * format.bytesPerPixel)
            }
        }
    }
}
