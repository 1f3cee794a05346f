#if JPEG
import Pixels
import Testing

@testable import ImageCoding

struct JPEGHeaderTests {
    private static func info(_ bytes: [UInt8]) throws -> ImageInfo {
        try bytes.withUnsafeBytes { try JPEGDecoder().info(of: $0) }
    }

    @Test("the header tells size and passes", arguments: ["baseline", "gray", "arithmetic", "progressive"])
    func header(name: String) throws {
        let info = try Self.info(Fixture.bytes("jpeg/\(name).jpg"))
        let expected = ImageInfo(
            format: .jpeg, storedSize: PixelSize(width: 203, height: 149), hasAlpha: false,
            isProgressive: name == "progressive")
        #expect(info == expected)
    }

    @Test("P24: orientation is told, and the pixels stay as they are stored", arguments: Orientation.allCases)
    func orientation(_ orientation: Orientation) throws {
        let plain = try Fixture.bytes("jpeg/baseline.jpg")
        let turned = plain.inserting(marker: 0xE1, .exif(orientation: UInt16(orientation.rawValue)))
        let info = try Self.info(turned)
        #expect(info.orientation == orientation)
        #expect(info.size == orientation.applied(to: PixelSize(width: 203, height: 149)))
        #expect(try DecodedPixels(jpeg: turned).bytes == DecodedPixels(jpeg: plain).bytes)
    }

    @Test("F11: orientations that do not exist mean upright", arguments: [0, 9, 65_535] as [UInt16])
    func strangeOrientation(value: UInt16) throws {
        let bytes = try Fixture.bytes("jpeg/baseline.jpg").inserting(marker: 0xE1, .exif(orientation: value))
        #expect(try Self.info(bytes).orientation == .up)
    }

    @Test("an XMP segment before EXIF does not hide it, a second EXIF segment does not count")
    func segmentsBeside() throws {
        let bytes = try Fixture.bytes("jpeg/baseline.jpg")
            .inserting(marker: 0xE1, .exif(orientation: 3))
            .inserting(marker: 0xE1, .exif(orientation: 6))
            .inserting(marker: 0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
        #expect(try Self.info(bytes).orientation == .right)
    }

    @Test("F10: 64 MB of application segments are passed over")
    func manySegments() throws {
        let filling = [UInt8](repeating: 0xFF, count: 65_533)
        let plain = try Fixture.bytes("jpeg/gray.jpg")
        let bytes = plain.inserting(marker: 0xEC, filling, times: 1_024)
        #expect(try Self.info(bytes).size == PixelSize(width: 203, height: 149))
        #expect(try DecodedPixels(jpeg: bytes).hash == DecodedPixels(jpeg: plain).hash)
    }

    @Test("F2: every prefix of the header is truncated, and nothing after it is needed")
    func prefixes() throws {
        let bytes = try Fixture.bytes("jpeg/baseline.jpg").inserting(marker: 0xE1, .exif(orientation: 6))
        let scan = try bytes.offset(ofMarker: 0xDA)
        let headerEnd = scan + 2 + Int(bytes[scan + 3])
        #expect(try failure { _ = try Self.info([]) } == .empty)
        for length in 1..<headerEnd {
            #expect(try failure { _ = try Self.info(Array(bytes.prefix(length))) } == .truncated, "\(length)")
        }
        #expect(try Self.info(Array(bytes.prefix(headerEnd))).orientation == .right)
    }

    @Test("bytes that are no JPEG are malformed")
    func garbage() throws {
        let whole = try Fixture.bytes("jpeg/baseline.jpg")
        let size = try whole.offset(ofMarker: 0xC0)
        var narrow = whole
        (narrow[size + 7], narrow[size + 8]) = (0, 0)
        let cases: [[UInt8]] = [
            [0], [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD9, 0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xD9],
            // A length of one, a scan without a frame, a size that is stated twice, no width.
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 1], [0xFF, 0xD8, 0xFF, 0xDA, 0, 2],
            Array(whole[..<size] + whole[size..<size + 19] + whole[size...]), narrow,
        ]
        for bytes in cases {
            #expect(try failure { _ = try Self.info(bytes) } == .malformed, "\(bytes.prefix(8))")
            #expect(try failure { _ = try DecodedPixels(jpeg: bytes) } == .malformed, "\(bytes.prefix(8))")
        }
    }

    @Test("F9: what cannot be decoded is named")
    func unsupported() throws {
        let whole = try Fixture.bytes("jpeg/baseline.jpg")
        let size = try whole.offset(ofMarker: 0xC0)
        func message(_ offset: Int, _ values: UInt8...) throws -> String {
            var bytes = whole
            bytes.replaceSubrange(size + offset..<size + offset + values.count, with: values)
            do {
                _ = try DecodedPixels(jpeg: bytes)
                return "decoded"
            } catch let error as CodingError {
                #expect(error.code == .unsupportedFeature)
                return error.message
            }
        }
        #expect(try message(4, 12).contains("12 bits per sample"))
        #expect(try message(1, 0xC3).contains("lossless"))
        #expect(try message(1, 0xC5).contains("hierarchical"))
        #expect(try message(5, 0, 0).contains("DNL"))
    }

    @Test("the library is named with the interface that is loaded")
    func library() {
        #expect(JPEGDecoder().library.name == "libjpeg-turbo")
        #expect(JPEGDecoder().library.version.contains("interface 6b"))
        #expect(JPEGDecoder().library == JPEGEncoder().library)
    }
}
#endif
