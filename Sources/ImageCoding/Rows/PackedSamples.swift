import ByteBuffers
import Pixels

extension Bitmap {
    /// The pixels without padding, as most encoders take them: red, green and blue of an opaque bitmap, else straight RGBA.
    ///
    /// - Throws: ``CodingError`` with `unsupportedFeature` for pixels other than 8-bit RGBA, or `outOfMemory`.
    func packed(for format: ImageFormat) throws(CodingError) -> Bytes {
        let straight = try straightened(for: format)
        let channels = straight.format.isOpaque ? 3 : 4
        do {
            return try Bytes(capacity: width * height * channels) { room in
                straight.withUnsafeBytes { pixels in
                    guard let base = pixels.baseAddress, let target = room.baseAddress else { return }
                    for row in 0..<height {
                        let (from, to) = (base + row * straight.bytesPerRow, target + row * width * channels)
                        if channels == 4 {
                            to.copyMemory(from: from, byteCount: width * 4)
                        } else {
                            for pixel in 0..<width {
                                (to + pixel * 3).copyMemory(from: from + pixel * 4, byteCount: 3)
                            }
                        }
                    }
                }
                return room.count
            }
        } catch {
            throw CodingError(.outOfMemory, "There is no memory to encode the \(format).", format: format)
        }
    }
}
