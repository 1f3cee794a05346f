import WebImage

/// A picture in characters: each shows two pixels, one above the other, as the upper half block and what is behind it.
enum BlockPicture {
    /// - Parameters:
    ///   - bitmap: `rgba8` or `rgbx8`; one pixel is half a character.
    ///   - hasTrueColor: colours of 24 bits (ISO 8613-6), otherwise of xterm's 256.
    /// - Returns: lines, each with its line break, that leave colours as they were.
    static func text(_ bitmap: Bitmap, hasTrueColor: Bool) -> String {
        var text = ""
        for y in stride(from: 0, to: bitmap.height, by: 2) {
            var colors = ""
            for x in 0..<bitmap.width {
                let upper = pixel(bitmap, x, y)
                let lower = y + 1 < bitmap.height ? pixel(bitmap, x, y + 1) : nil
                let (character, wanted) =
                    switch (upper, lower) {
                    case (nil, nil): (" ", "0")
                    case (let upper?, nil): ("▀", "0;38;\(code(upper, hasTrueColor))")
                    case (nil, let lower?): ("▄", "0;38;\(code(lower, hasTrueColor))")
                    case (let upper?, let lower?):
                        ("▀", "38;\(code(upper, hasTrueColor));48;\(code(lower, hasTrueColor))")
                    }
                if wanted != colors { text += "\u{1B}[\(wanted)m" }
                colors = wanted
                text += character
            }
            text += "\u{1B}[0m\n"
        }
        return text
    }

    /// The colour as it looks where it is opaque; `nil` where more is seen of what is behind it.
    private static func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> SIMD3<Int>? {
        bitmap.withUnsafeBytes { bytes in
            let place = y * bitmap.bytesPerRow + x * 4
            let alpha = bitmap.format.isOpaque ? 255 : Int(bytes[place + 3])
            guard alpha >= 128 else { return nil }
            let stored = SIMD3(Int(bytes[place]), Int(bytes[place + 1]), Int(bytes[place + 2]))
            return (stored &* 255 &+ alpha / 2) / SIMD3(repeating: alpha)
        }
    }

    private static func code(_ color: SIMD3<Int>, _ hasTrueColor: Bool) -> String {
        if hasTrueColor { return "2;\(color.x);\(color.y);\(color.z)" }
        // A cube of 6 × 6 × 6 from 16 on, whose levels are 0, 95, 135, … 255, and 24 greys from 232 on.
        func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : min(5, (value - 35) / 40) }
        if color.x == color.y, color.y == color.z, (8...238).contains(color.x) {
            return "5;\(232 + (color.x - 3) / 10)"
        }
        return "5;\(16 + 36 * level(color.x) + 6 * level(color.y) + level(color.z))"
    }
}
