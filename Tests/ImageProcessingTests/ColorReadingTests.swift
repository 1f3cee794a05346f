import Pixels
import Testing

@testable import ImageProcessing

@Suite struct ColorReadingTests {
    @Test(
        "C250 W044: colours of single pixels, alpha divided out, in every format, grey included",
        arguments: PixelFormat.all)
    func colors(format: PixelFormat) throws {
        let bitmap = try Bitmap.drawn(4, 3, format) { x, y in
            SIMD4(Float(x * 60) / 255, Float(y) / 2, 0.4, y == 2 ? 0.6 : 1)
        }
        let alpha: UInt8 = format.isOpaque ? 255 : 153
        func wanted(_ x: Int, _ y: Int) -> PixelColor {
            let red = UInt8(x * 60)
            let color =
                format.hasColor
                ? PixelColor(red: red, green: y == 2 ? 255 : y == 1 ? 128 : 0, blue: 102) : PixelColor(white: red)
            return PixelColor(red: color.red, green: color.green, blue: color.blue, alpha: y == 2 ? alpha : 255)
        }
        let rect = PixelRect(x: 1, y: 1, width: 3, height: 2)
        let part = try #require(try bitmap.colors(in: rect))
        #expect(part.count == 6)
        for (index, color) in part.enumerated() {
            let (x, y) = (1 + index % 3, 1 + index / 3)
            #expect(color == wanted(x, y), "(\(x), \(y))")
            #expect(bitmap.color(x: x, y: y) == color)
        }
    }

    @Test("C250: outside the picture there is no colour")
    func outside() throws {
        let bitmap = try Bitmap.noise(4, 3)
        for (x, y) in [(-1, 0), (0, -1), (4, 0), (0, 3), (.max, .min)] { #expect(bitmap.color(x: x, y: y) == nil) }
        for (x, width) in [(0, 0), (0, 5), (3, 2), (-1, 2), (.max, .max), (2, -1)] {
            #expect(try bitmap.colors(in: PixelRect(x: x, y: 0, width: width, height: 1)) == nil)
        }
        let transparent = try Bitmap(1, 1) { _, _ in (0, 0, 0, 0) }
        #expect(transparent.color(x: 0, y: 0) == .clear)
    }
}
