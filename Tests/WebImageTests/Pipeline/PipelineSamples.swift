import WebImage

extension PipelineScene {
    /// Every format that decodes, animated ones by their first frame.
    static let formats: [ImageFormat] = [.jpeg, .png, .webp, .gif]

    /// A small file of a format.
    static func sample(of format: ImageFormat) throws -> [UInt8] {
        if format == .gif { return gif }
        return try CoderRegistry.standard.encode(gradient(40, 30, .rgbx8), as: format).array
    }

    /// A PNG with a gradient.
    /// - Parameter format: `rgba8` makes the pixels see-through.
    static func png(_ width: Int, _ height: Int, _ format: PixelFormat = .rgbx8) throws -> [UInt8] {
        try CoderRegistry.standard.encode(gradient(width, height, format), as: .png).array
    }

    private static func gradient(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> Bitmap {
        var bitmap = try Bitmap(uninitialized: PixelSize(width: width, height: height), format: format)
        let stride = bitmap.bytesPerRow
        // Colours are multiplied by alpha.
        let top = format.isOpaque ? 255 : 127
        try bitmap.withUnsafeMutableBytes { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel: [UInt8] = [
                        UInt8(x * 7 & top), UInt8(y * 5 & top), UInt8((x ^ y) & top), format.isOpaque ? 255 : 128,
                    ]
                    for channel in 0..<4 { pixels[y * stride + x * 4 + channel] = pixel[channel] }
                }
            }
        }
        return bitmap
    }

    /// A GIF of 2 × 2 pixels, written by hand (GIF89a specification, with uncompressed codes).
    private static let gif: [UInt8] =
        Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        + [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 3, 0x44, 0x02, 0x05, 0, 0x3B]

    /// Signature, a header of 65,535 × 65,535 pixels with its right checksum, and the start of pixels.
    static let hugePNG: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 8, 6, 0, 0, 0, 0xB6, 0x05, 0xD9, 0x50, 0, 0, 0, 10]
        + Array("IDAT".utf8)

    /// The same PNG with an eXIf chunk in front of its pixels that says: turn by 90° clockwise (PNG 3rd ed. §11.3.4.6).
    static func turned(_ png: [UInt8]) -> [UInt8] {
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let chunk = Array("eXIf".utf8) + tiff
        let sum = crc(chunk)
        let header = 8 + 25
        return png[..<header] + [0, 0, 0, UInt8(tiff.count)] + chunk + sum + png[header...]
    }

    /// PNG 3rd ed. annex D.
    private static func crc(_ bytes: [UInt8]) -> [UInt8] {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        sum = ~sum
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
}
