#if TIFF
import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("TIFF")
struct TIFFTests {
    private let decoder = TIFFDecoder()

    static let names = [
        "rgb-none", "rgb-lzw", "rgb-deflate", "rgba-deflate", "rgb-packbits", "rgb-jpeg", "gray", "gray-inverted",
        "rgb-big-endian", "rgb-sixteen", "rgb-tiles", "rgb-planes", "gray-float", "palette", "bits-fax", "pages",
        "cmyk",
    ]

    @Test(
        "P25: compressions, tiles, planes, depths and kinds of colour are what other programs make of them",
        arguments: names)
    func pixels(name: String) throws {
        let rows = try decoder.decode(Fixture.bytes("tiff/\(name).tiff"))
        #expect(rows.format == (name == "rgba-deflate" ? .rgba8 : .rgbx8))
        let (largest, _) = difference(rows.pixels, try Fixture.bytes("tiff/\(name).rgba"))
        #expect(largest <= (name == "rgb-jpeg" ? 2 : 0), "\(largest)")
    }

    @Test("the header tells size, alpha, depth and pages without decoding", arguments: names)
    func info(name: String) throws {
        let bytes = try Fixture.bytes("tiff/\(name).tiff")
        let info = try decoder.info(bytes)
        #expect(info.format == .tiff)
        #expect(info.storedSize == PixelSize(width: 48, height: 32))
        #expect(info.hasAlpha == (name == "rgba-deflate"))
        #expect(info.frameCount == (name == "pages" ? 3 : 1))
        let bits = ["rgb-sixteen": 16, "gray-float": 32, "bits-fax": 1, "palette": info.bitsPerComponent]
        #expect(info.bitsPerComponent == bits[name] ?? 8)
    }

    @Test("F2: without its pixels a file is no picture")
    func cut() throws {
        let bytes = try Fixture.bytes("tiff/rgb-none.tiff")
        #expect([.truncated, .malformed].contains(decoder.outcome(Array(bytes[..<(bytes.count / 2)])).failureCode))
        #expect([.truncated, .malformed].contains(decoder.outcome(Array(bytes[..<8])).failureCode))
    }

    @Test(
        "what is encoded comes back exactly, and Pillow's way of storing alpha is used",
        arguments: ["rgb-none", "rgba-deflate"])
    func encoding(name: String) throws {
        let isOpaque = name == "rgb-none"
        let bitmap = try Bitmap.fixture("tiff/\(name)", PixelSize(width: 48, height: 32), opaque: isOpaque)
        let encoded = try TIFFEncoder().encode(bitmap, as: .tiff, options: EncodeOptions())
        let rows = try decoder.decode(encoded.array)
        #expect(rows.format == bitmap.format && rows.size == bitmap.size)
        // Divided by a small alpha and multiplied again, a colour may be one apart.
        #expect(difference(rows.pixels, bitmap.rows.pixels).largest <= (isOpaque ? 0 : 1))
    }
}
#endif
