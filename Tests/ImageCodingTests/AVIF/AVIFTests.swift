#if AVIF
import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("AVIF")
struct AVIFTests {
    private let decoder = AVIFDecoder()

    static let opaque = ["opaque", "limited", "ten", "gray", "cropped", "cropped-turned", "grid"]
    static let transparent = ["alpha", "twelve-alpha", "premultiplied", "sequence"]

    @Test(
        "P25: 8 to 12 bits, alpha, grey, a grid and a crop are what avifdec makes of them",
        arguments: opaque + transparent)
    func pixels(name: String) throws {
        let rows = try decoder.decode(Fixture.bytes("avif/\(name).avif"))
        #expect(rows.format == (Self.opaque.contains(name) ? .rgbx8 : .rgba8))
        #expect(rows.pixels == (try Fixture.bytes("avif/\(name).rgba")))
    }

    @Test("the header tells size, alpha and frames without decoding", arguments: opaque + transparent)
    func info(name: String) throws {
        let bytes = try Fixture.bytes("avif/\(name).avif")
        let info = try decoder.info(bytes)
        #expect(info.format == .avif)
        #expect(info.storedSize == (try decoder.decode(bytes)).size)
        #expect(info.hasAlpha == Self.transparent.contains(name))
        #expect(info.frameCount == (name == "sequence" ? 3 : 1))
        #expect(info.orientation == (name == "cropped-turned" ? .left : .up))
    }

    @Test("F12: a header that claims a huge picture is refused")
    func bomb() throws {
        var bytes = try Fixture.bytes("avif/opaque.avif")
        let position = try #require(bytes.firstRange(of: Array("ispe".utf8))).upperBound + 4
        bytes.replaceSubrange(position..<position + 8, with: [0, 0, 0xFF, 0xFF, 0, 0, 0x0F, 0xFF])
        let error = #expect(throws: CodingError.self) {
            try bytes.withUnsafeBytes {
                try decoder.decode($0, options: DecodeOptions(limits: Damage.limits), into: ForbiddenSink())
            }
        }
        #expect(error?.code == .sideTooLong)
    }

    @Test(
        "what is encoded comes back nearly the same, alpha too; quality changes the size",
        arguments: ["opaque", "alpha"])
    func encoding(name: String) throws {
        let bitmap = try Bitmap.fixture("avif/\(name)", PixelSize(width: 48, height: 32), opaque: name == "opaque")
        let fine = try AVIFEncoder().encode(bitmap, as: .avif, options: EncodeOptions(quality: 90))
        let coarse = try AVIFEncoder().encode(bitmap, as: .avif, options: EncodeOptions(quality: 20))
        #expect(coarse.count < fine.count)
        let rows = try decoder.decode(fine.array)
        #expect(rows.format == bitmap.format)
        #expect(difference(rows.pixels, bitmap.rows.pixels).mean < 3)
    }

    @Test("another format is no AVIF")
    func wrongFormat() throws {
        let bitmap = try Bitmap.fixture("avif/opaque", PixelSize(width: 48, height: 32), opaque: true)
        let error = #expect(throws: CodingError.self) {
            try AVIFEncoder().encode(bitmap, as: .png, options: EncodeOptions())
        }
        #expect(error?.code == .unsupportedFormat)
    }
}
#endif
