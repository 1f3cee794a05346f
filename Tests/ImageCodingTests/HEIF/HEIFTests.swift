#if HEIF
import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("HEIF")
struct HEIFTests {
    private let decoder = HEIFDecoder()

    static let names = ["opaque", "gray", "lossless", "alpha", "ten", "thumbnail"]

    @Test("C220 P25: lossy, lossless, grey, alpha and 10 bits are what heif-convert makes of them", arguments: names)
    func pixels(name: String) throws {
        let rows = try decoder.decode(Fixture.bytes("heif/\(name).heic"))
        #expect(rows.format == (name == "alpha" ? .rgba8 : .rgbx8))
        let (largest, _) = difference(rows.pixels, try Fixture.bytes("heif/\(name).rgba"))
        // heif-convert writes 16 bits by a shift.
        #expect(largest <= (name == "ten" ? 1 : 0))
    }

    @Test("P8: an embedded thumbnail serves a smaller size, unless it is too small")
    func thumbnail() throws {
        let bytes = try Fixture.bytes("heif/thumbnail.heic")
        #expect(try decoder.info(bytes).storedSize == PixelSize(width: 192, height: 128))
        let small = try decoder.decode(bytes, minimumSize: PixelSize(width: 48, height: 32))
        #expect(small.size == PixelSize(width: 48, height: 32))
        let large = try decoder.decode(bytes, minimumSize: PixelSize(width: 49, height: 32))
        #expect(large.size == PixelSize(width: 192, height: 128))
    }

    @Test("the header tells size, alpha and depth without decoding", arguments: names)
    func info(name: String) throws {
        let bytes = try Fixture.bytes("heif/\(name).heic")
        let info = try decoder.info(bytes)
        #expect(info.format == .heic)
        #expect(info.storedSize == (try decoder.decode(bytes)).size)
        #expect(info.hasAlpha == (name == "alpha"))
        #expect(info.bitsPerComponent == (name == "ten" ? 10 : 8))
    }

    @Test("F12: a header that claims a huge picture is refused")
    func bomb() throws {
        var bytes = try Fixture.bytes("heif/opaque.heic")
        var searched = 0
        while let found = bytes[searched...].firstRange(of: Array("ispe".utf8)) {
            searched = found.upperBound
            bytes.replaceSubrange(searched + 4..<searched + 12, with: [0, 0, 0x7F, 0xFF, 0, 0, 0x7F, 0xFF])
        }
        let error = #expect(throws: CodingError.self) {
            try bytes.withUnsafeBytes {
                try decoder.decode($0, options: DecodeOptions(), into: ForbiddenSink())
            }
        }
        #expect([.tooManyPixels, .sideTooLong, .malformed].contains(error?.code), "\(String(describing: error))")
    }

    @Test("what is encoded comes back nearly the same, alpha too", arguments: ["opaque", "alpha"])
    func encoding(name: String) throws {
        let bitmap = try Bitmap.fixture("heif/\(name)", PixelSize(width: 48, height: 32), opaque: name == "opaque")
        let encoder = HEIFEncoder()
        guard encoder.encodableFormats.contains(.heic) else { return }
        let fine = try encoder.encode(bitmap, as: .heic, options: EncodeOptions(quality: 90))
        let coarse = try encoder.encode(bitmap, as: .heic, options: EncodeOptions(quality: 10))
        #expect(coarse.count < fine.count)
        let rows = try decoder.decode(fine.array)
        #expect(rows.format == bitmap.format && rows.size == bitmap.size)
        #expect(difference(rows.pixels, bitmap.rows.pixels).mean < 3)
    }
}
#endif
