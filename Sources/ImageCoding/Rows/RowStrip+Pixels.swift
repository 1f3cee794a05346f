import Pixels

/// Work on the first rows of a strip of four-byte pixels.
extension RowStrip {
    /// Multiplies the colours of `rows` rows by their alpha.
    func premultiply(width: Int, rows: Int) {
        for row in 0..<rows { Premultiplication.multiply(base + row * bytesPerRow, count: width) }
    }

    /// Sets every component of `rows` rows to a byte, which makes them transparent by default.
    func fill(_ byte: UInt8 = 0, width: Int, rows: Int) {
        for row in 0..<rows {
            (base + row * bytesPerRow).initializeMemory(as: UInt8.self, repeating: byte, count: width * 4)
        }
    }
}
