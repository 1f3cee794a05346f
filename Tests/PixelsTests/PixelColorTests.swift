import Pixels
import Testing

@Suite struct PixelColorTests {
    @Test("C251: a colour as text is #aarrggbb in lower case, and reads back")
    func text() {
        let color = PixelColor(red: 0xAB, green: 0x0C, blue: 0xFF, alpha: 0x80)
        #expect(color.hexadecimal == "#80ab0cff")
        #expect("\(PixelColor.clear) \(PixelColor.black) \(PixelColor.white)" == "#00000000 #ff000000 #ffffffff")
        #expect(PixelColor(hexadecimal: "#80AB0cfF") == color)
        for value in stride(from: 0, through: 255, by: 5) {
            let gray = PixelColor(white: UInt8(value), alpha: UInt8(255 - value))
            #expect(PixelColor(hexadecimal: gray.hexadecimal) == gray)
        }
    }

    @Test("P39: short texts are opaque; what is no colour is none")
    func reading() {
        #expect(PixelColor(hexadecimal: "f80") == PixelColor(red: 255, green: 136, blue: 0))
        #expect(PixelColor(hexadecimal: "#102030") == PixelColor(red: 16, green: 32, blue: 48))
        for text in [
            "", "#", "#12", "#1234", "#12345", "#1234567", "#123456789", "##123456", "#-12", "+12345", "#gggggg",
            "#１２３",
        ] {
            #expect(PixelColor(hexadecimal: text) == nil, "\(text)")
        }
    }

    @Test("A format gets what it needs and keeps the rest")
    func widening() {
        func format(_ channels: PixelFormat.Channels, _ alpha: PixelFormat.Alpha) -> PixelFormat {
            PixelFormat(channels: channels, component: .uint16, alpha: alpha)
        }
        let gray = format(.gray, .opaque)
        #expect(gray.widened(alpha: false, color: false) == gray)
        #expect(gray.widened(alpha: true, color: false) == format(.grayAlpha, .premultiplied))
        #expect(gray.widened(alpha: false, color: true) == format(.rgb, .opaque))
        #expect(gray.widened(alpha: true, color: true) == format(.rgba, .premultiplied))
        #expect(format(.grayAlpha, .straight).widened(alpha: true, color: true) == format(.rgba, .straight))
        #expect(format(.grayAlpha, .opaque).widened(alpha: false, color: true) == format(.rgba, .opaque))
        #expect(format(.rgb, .opaque).widened(alpha: true, color: true) == format(.rgba, .premultiplied))
        #expect(format(.rgba, .straight).widened(alpha: true, color: true) == format(.rgba, .straight))
        #expect(PixelFormat.rgbx8.widened(alpha: true, color: false) == .rgba8)
    }
}
