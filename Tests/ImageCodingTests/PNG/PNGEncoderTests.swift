#if PNG
import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("PNG encoding")
struct PNGEncoderTests {
    @Test(
        "what was encoded decodes to the same pixels",
        arguments: ["rgb8", "palette8", "rgba8", "rgba16", "interlaced-1"])
    func roundTrip(name: String) throws {
        let rows = try PNGDecoder().decode(Fixture.bytes("png/\(name).png"))
        let bitmap = try Bitmap(rows.size, rows.format, rows.pixels)
        let encoded = try PNGEncoder().encode(bitmap, as: .png, options: EncodeOptions())
        #expect(try PNGDecoder().decode(encoded.array) == rows)
    }

    @Test("opaque bitmaps become RGB, others RGBA")
    func colorType() throws {
        let pixels: [UInt8] = [10, 20, 30, 255, 40, 50, 60, 255]
        let size = PixelSize(width: 2, height: 1)
        let encoder = PNGEncoder()
        let opaque = try encoder.encode(Bitmap(size, .rgbx8, pixels), as: .png, options: EncodeOptions())
        let alpha = try encoder.encode(Bitmap(size, .rgba8, pixels), as: .png, options: EncodeOptions())
        #expect(opaque.array[25] == 2)
        #expect(alpha.array[25] == 6)
    }

    @Test("other pixel formats and other file formats are refused")
    func refused() throws {
        let straight = PixelFormat(channels: .rgba, component: .uint8, alpha: .straight)
        let bitmap = try Bitmap(PixelSize(width: 1, height: 1), straight, [1, 2, 3, 4])
        let feature = #expect(throws: CodingError.self) {
            try PNGEncoder().encode(bitmap, as: .png, options: EncodeOptions())
        }
        #expect(feature?.code == .unsupportedFeature)
        let format = #expect(throws: CodingError.self) {
            try PNGEncoder().encode(bitmap, as: .jpeg, options: EncodeOptions())
        }
        #expect(format?.code == .unsupportedFormat)
    }
}
#endif
