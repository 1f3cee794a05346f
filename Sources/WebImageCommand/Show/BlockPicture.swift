import WebImage

/// A picture in characters: each shows two pixels, one above the other, as the upper half block and what is behind it.
enum BlockPicture {
    /// - Parameters:
    ///   - bitmap: one pixel is half a character.
    ///   - hasTrueColor: colours of 24 bits (ISO 8613-6), otherwise of xterm's 256.
    /// - Returns: lines, each with its line break, that leave colours as they were.
    static func text(_ bitmap: Bitmap, hasTrueColor: Bool) -> String {
        var text = ""
        for y in stride(from: 0, to: bitmap.height, by: 2) {
            var colors = ""
            for x in 0..<bitmap.width {
                let upper = pixel(bitmap, x, y)
                let lower = pixel(bitmap, x, y + 1)
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

    /// `nil` where more is seen of what is behind it, and outside the picture.
    private static func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> PixelColor? {
        bitmap.color(x: x, y: y).flatMap { $0.alpha >= 128 ? $0 : nil }
    }

    private static func code(_ color: PixelColor, _ hasTrueColor: Bool) -> String {
        let (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
        if hasTrueColor { return "2;\(red);\(green);\(blue)" }
        // A cube of 6 × 6 × 6 from 16 on, whose levels are 0, 95, 135, … 255, and 24 greys from 232 on.
        func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : min(5, (value - 35) / 40) }
        if red == green, green == blue, (8...238).contains(red) { return "5;\(232 + (red - 3) / 10)" }
        return "5;\(16 + 36 * level(red) + 6 * level(green) + level(blue))"
    }
}
