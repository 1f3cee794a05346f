#if JPEGXL
import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("JPEG XL")
struct JXLTests {
    private let decoder = JXLDecoder()

    static let names = [
        "lossy", "lossy-alpha", "lossless", "gray", "progressive", "container", "jpeg", "sixteen", "moving",
    ]
    static let transparent: Set<String> = ["lossy-alpha", "lossless"]

    @Test(
        "P25: lossy, lossless, grey, 16 bits, a packed JPEG and a first frame are what djxl makes of them",
        arguments: names)
    func pixels(name: String) throws {
        let rows = try decoder.decode(Fixture.bytes("jxl/\(name).jxl"))
        #expect(rows.format == (Self.transparent.contains(name) ? .rgba8 : .rgbx8))
        let (largest, mean) = difference(rows.pixels, try Fixture.bytes("jxl/\(name).rgba"))
        // djxl writes whole numbers of its own making from floats: a rounding apart.
        #expect(largest <= 1 && mean < 0.1, "\(largest), \(mean)")
    }

    @Test("what was stored without loss comes back exactly", arguments: ["lossless", "gray", "moving"])
    func lossless(name: String) throws {
        #expect(try decoder.decode(Fixture.bytes("jxl/\(name).jxl")).pixels == Fixture.bytes("jxl/\(name).rgba"))
    }

    @Test("the header tells size, alpha, depth and frames without decoding", arguments: names)
    func info(name: String) throws {
        let bytes = try Fixture.bytes("jxl/\(name).jxl")
        let info = try decoder.info(bytes)
        #expect(info.format == .jpegXL)
        #expect(info.storedSize == (try decoder.decode(bytes)).size)
        #expect(info.hasAlpha == Self.transparent.contains(name))
        #expect(info.bitsPerComponent == (name == "sixteen" ? 16 : 8))
        #expect(info.frameCount == (name == "moving" ? 3 : 1))
    }

    @Test("F12: a header that claims a huge picture is refused")
    func bomb() throws {
        // A codestream's size header (ISO/IEC 18181-1 annex D.3): two sides of 30 bits, all of them set.
        let bytes: [UInt8] = [0xFF, 0x0A, 0xFE, 0xFF, 0xFF, 0xFF, 0x1F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x50, 0x5C]
        #expect([.tooManyPixels, .sideTooLong, .malformed, .truncated].contains(decoder.outcome(bytes).failureCode))
    }

    @Test(
        "what is encoded comes back nearly the same, alpha too; quality 100 comes back exactly",
        arguments: ["lossy", "lossless"])
    func encoding(name: String) throws {
        let bitmap = try Bitmap.fixture("jxl/\(name)", PixelSize(width: 48, height: 32), opaque: name == "lossy")
        let exact = try JXLEncoder().encode(bitmap, as: .jpegXL, options: EncodeOptions(quality: 100))
        let fine = try JXLEncoder().encode(bitmap, as: .jpegXL, options: EncodeOptions(quality: 90))
        let coarse = try JXLEncoder().encode(bitmap, as: .jpegXL, options: EncodeOptions(quality: 10))
        #expect(coarse.count < fine.count)
        let rows = try decoder.decode(fine.array)
        #expect(rows.format == bitmap.format && rows.size == bitmap.size)
        #expect(difference(rows.pixels, bitmap.rows.pixels).mean < 3)
        #expect(try decoder.decode(exact.array) == bitmap.rows)
    }
}
#endif
