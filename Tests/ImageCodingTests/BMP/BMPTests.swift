import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("BMP")
struct BMPTests {
    private let decoder = BMPDecoder()

    static let names = [
        "rgb24", "palette8", "bits1", "version2", "version3", "version4", "alpha", "top-down", "masks565", "runs8",
        "runs4",
        "nibbles",
    ]

    @Test("W038: every header, depth, mask, run and order of rows gives the pixels that went in", arguments: names)
    func pixels(name: String) throws {
        let rows = try decoder.decode(Fixture.bytes("bmp/\(name).bmp"))
        #expect(rows.format == (name == "alpha" ? .rgba8 : .rgbx8))
        #expect(rows.pixels == (try Fixture.bytes("bmp/\(name).rgba")))
    }

    @Test("the header tells size and alpha", arguments: names)
    func info(name: String) throws {
        let info = try decoder.info(Fixture.bytes("bmp/\(name).bmp"))
        #expect(info.format == .bmp && info.storedSize == PixelSize(width: 48, height: 32))
        #expect(info.hasAlpha == (name == "alpha"))
    }

    @Test("F12: sides of 2,147,483,647 are refused", arguments: ["rgb24", "runs4", "top-down", "bits1"])
    func bomb(name: String) throws {
        var bytes = try Fixture.bytes("bmp/\(name).bmp")
        for height: UInt8 in [0x7F, 0x80] {
            bytes.replaceSubrange(18..<26, with: [0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, height])
            #expect([.sideTooLong, .malformed].contains(decoder.outcome(bytes).failureCode))
        }
    }

    @Test("what is encoded comes back exactly when opaque, alpha by a rounding", arguments: ["rgb24", "alpha"])
    func encoding(name: String) throws {
        let bitmap = try Bitmap.fixture("bmp/\(name)", PixelSize(width: 48, height: 32), opaque: name == "rgb24")
        let rows = try decoder.decode(BMPEncoder().encode(bitmap, as: .bmp, options: EncodeOptions()).array)
        #expect(rows.format == bitmap.format && rows.size == bitmap.size)
        #expect(difference(rows.pixels, bitmap.rows.pixels).largest <= (name == "rgb24" ? 0 : 1))
    }
}
