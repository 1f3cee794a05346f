import Pixels

/// Work on the first rows of a strip of four-byte pixels.
extension RowStrip {
    /// Multiplies the colours of `rows` rows by their alpha.
    func premultiply(width: Int, rows: Int) {
        for row in 0..<rows { Premultiplication.multiply(base + row * bytesPerRow, count: width) }
    }

    /// Makes `rows` rows transparent.
    func clear(width: Int, rows: Int) {
        for row in 0..<rows {
            (base + row * bytesPerRow).initializeMemory(as: UInt8.self, repeating: 0, count: width * 4)
        }
    }
}
