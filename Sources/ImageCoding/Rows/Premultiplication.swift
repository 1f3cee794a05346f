import Pixels

/// Converts between straight alpha, as files store it, and colours multiplied by alpha, as bitmaps do.
enum Premultiplication {
    /// Multiplies the colours of RGBA pixels by their alpha.
    static func multiply(_ pixels: UnsafeMutableRawPointer, component: PixelFormat.Component, count: Int) {
        switch component {
        case .uint8: multiply(pixels, count: count)
        case .uint16: multiply(pixels, UInt16.self, count: count)
        case .float32: multiply(pixels, Float.self, count: count)
        }
    }

    private static func multiply<Number: BitwiseCopyable & Multipliable>(
        _ pixels: UnsafeMutableRawPointer, _: Number.Type, count: Int
    ) {
        let size = MemoryLayout<Number>.size
        for pixel in stride(from: 0, to: count * 4 * size, by: 4 * size) {
            let alpha = pixels.loadUnaligned(fromByteOffset: pixel + 3 * size, as: Number.self)
            for channel in stride(from: pixel, to: pixel + 3 * size, by: size) {
                let value = pixels.loadUnaligned(fromByteOffset: channel, as: Number.self)
                pixels.storeBytes(of: value.times(alpha), toByteOffset: channel, as: Number.self)
            }
        }
    }

    /// Multiplies the colours of RGBA pixels by their alpha, each rounded to the nearest: `(c × a + 127) / 255`.
    ///
    /// - Parameter pixels: `count × 4` bytes at any address.
    static func multiply(_ pixels: UnsafeMutableRawPointer, count: Int) {
        var pixel = pixels
        let end = pixels + count * 4
        while end - pixel >= 16 {
            let four = pixel.loadUnaligned(as: SIMD4<UInt32>.self)
            // Most pixels of most pictures are opaque: nothing to write.
            if four[0] & four[1] & four[2] & four[3] < 0xFF00_0000 {
                pixel.storeBytes(of: multiplied(four), as: SIMD4<UInt32>.self)
            }
            pixel += 16
        }
        while pixel < end {
            let one = SIMD4<UInt32>(repeating: pixel.loadUnaligned(as: UInt32.self))
            pixel.storeBytes(of: multiplied(one)[0], as: UInt32.self)
            pixel += 4
        }
    }

    /// Four pixels, two channels of each at a time in lanes of 16 bits, which every processor multiplies at once.
    ///
    /// With t = c·a + 128 the exact quotient by 255 is (t + t/256) / 256. Alpha is the highest byte of a number: every
    /// processor that Swift runs on is little-endian.
    @inline(__always)
    private static func multiplied(_ pixels: SIMD4<UInt32>) -> SIMD4<UInt32> {
        let alpha = pixels &>> 24
        let alphas = unsafeBitCast(alpha | alpha &<< 16, to: SIMD8<UInt16>.self)
        let redBlue = pixels & 0x00FF_00FF
        // Alpha's own lane holds 255, which the multiplication turns into alpha again.
        let greenAlpha = (pixels &>> 8) & 0xFF | 0x00FF_0000
        return scaled(redBlue, by: alphas) | scaled(greenAlpha, by: alphas) &<< 8
    }

    @inline(__always)
    private static func scaled(_ channels: SIMD4<UInt32>, by alphas: SIMD8<UInt16>) -> SIMD4<UInt32> {
        let product = unsafeBitCast(channels, to: SIMD8<UInt16>.self) &* alphas &+ 128
        return unsafeBitCast((product &+ (product &>> 8)) &>> 8, to: SIMD4<UInt32>.self)
    }

    /// Divides the colours of RGBA pixels by their alpha.
    static func divide(
        _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, component: PixelFormat.Component, count: Int
    ) {
        switch component {
        case .uint8: divide(source, into: target, count: count)
        case .uint16:
            divide(source, into: target, count: count) { (value: UInt16, alpha: UInt16) in
                let (value, alpha) = (UInt64(value), UInt64(alpha))
                return alpha == 0 ? 0 : UInt16(min(65_535, (value * 65_535 + alpha / 2) / alpha))
            }
        case .float32:
            divide(source, into: target, count: count) { (value: Float, alpha: Float) in
                alpha > 0 ? value / alpha : 0
            }
        }
    }

    private static func divide<Number: BitwiseCopyable>(
        _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int,
        _ quotient: (Number, Number) -> Number
    ) {
        let size = MemoryLayout<Number>.size
        for pixel in stride(from: 0, to: count * 4 * size, by: 4 * size) {
            let alpha = source.loadUnaligned(fromByteOffset: pixel + 3 * size, as: Number.self)
            for channel in stride(from: pixel, to: pixel + 3 * size, by: size) {
                let value = source.loadUnaligned(fromByteOffset: channel, as: Number.self)
                target.storeBytes(of: quotient(value, alpha), toByteOffset: channel, as: Number.self)
            }
            target.storeBytes(of: alpha, toByteOffset: pixel + 3 * size, as: Number.self)
        }
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
