/// Converts between straight alpha, as files store it, and colours multiplied by alpha, as bitmaps do.
enum Premultiplication {
    /// Multiplies the colours of RGBA pixels by their alpha, each rounded to the nearest: `(c × a + 127) / 255`.
    ///
    /// - Parameter pixels: `count × 4` bytes at any address.
    static func multiply(_ pixels: UnsafeMutableRawPointer, count: Int) {
        var pixel = pixels
        let end = pixels + count * 4
        while pixel < end {
            let value = pixel.loadUnaligned(as: UInt32.self).littleEndian
            // Most pixels of most pictures are opaque: nothing to write.
            if value < 0xFF00_0000 {
                pixel.storeBytes(of: multiplied(value).littleEndian, as: UInt32.self)
            }
            pixel += 4
        }
    }

    /// Two channels at a time, each in 16 bits. With t = c·a + 128 the exact quotient is (t + t/256) / 256.
    @inline(__always)
    private static func multiplied(_ value: UInt32) -> UInt32 {
        let alpha = value >> 24
        let lanes: UInt32 = 0x00FF_00FF
        let redBlue = (value & lanes) &* alpha &+ 0x0080_0080
        // Alpha's own lane holds 255, which the multiplication turns into alpha again.
        let greenAlpha = ((value >> 8) & 0xFF | 0x00FF_0000) &* alpha &+ 0x0080_0080
        let low = ((redBlue &+ ((redBlue >> 8) & lanes)) >> 8) & lanes
        let high = (greenAlpha &+ ((greenAlpha >> 8) & lanes)) & ~lanes
        return low | high
    }

    /// Divides the colours of RGBA pixels by their alpha, rounded to the nearest; transparent pixels become black.
    ///
    /// - Parameters:
    ///   - source: `count × 4` bytes of premultiplied pixels.
    ///   - target: room for as many; may be the same memory.
    static func divide(_ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        for offset in stride(from: 0, to: count * 4, by: 4) {
            let alpha = UInt32(source.load(fromByteOffset: offset + 3, as: UInt8.self))
            for channel in offset..<offset + 3 {
                let value = UInt32(source.load(fromByteOffset: channel, as: UInt8.self))
                let divided = alpha == 0 ? 0 : min(255, (value * 255 + alpha / 2) / alpha)
                target.storeBytes(of: UInt8(truncatingIfNeeded: divided), toByteOffset: channel, as: UInt8.self)
            }
            target.storeBytes(of: UInt8(truncatingIfNeeded: alpha), toByteOffset: offset + 3, as: UInt8.self)
        }
    }
}
