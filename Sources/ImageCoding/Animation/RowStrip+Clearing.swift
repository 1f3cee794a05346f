import Pixels

extension RowStrip {
    /// Makes a rectangle inside of the rows transparent.
    func clear(_ place: PixelRect) {
        for row in place.y..<place.y + place.height {
            (base + row * bytesPerRow + place.x * 4)
                .initializeMemory(as: UInt8.self, repeating: 0, count: place.width * 4)
        }
    }
}
