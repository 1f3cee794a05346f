#if JPEG && PNG && WebP
import ByteBuffers
import Pixels
import Testing

@testable import ImageCoding

@Suite("Metadata")
struct ImageMetadataTests {
    static func metadata(_ bytes: [UInt8]) throws -> ImageMetadata {
        try withExactCopy(of: bytes) { try CoderRegistry.standard.metadata(of: $0) }
    }

    static func info(_ bytes: [UInt8]) throws -> ImageInfo {
        try withExactCopy(of: bytes) { try CoderRegistry.standard.info(of: $0) }
    }

    static func fixture(_ name: String) throws -> [UInt8] { try Fixture.bytes("metadata/\(name)") }

    @Test("C311: EXIF and XMP are what exiftool wrote", arguments: ["both.jpg", "both.png", "both.webp"])
    func pieces(file: String) throws {
        let metadata = try Self.metadata(Self.fixture(file))
        #expect(try metadata.xmp?.array == Self.fixture("\(file).xmp.txt"))
        let exif = try #require(metadata.exif).array
        #expect(String(decoding: exif, as: UTF8.self).contains("A painter"))
        #expect([[0x4D, 0x4D, 0, 42], [0x49, 0x49, 42, 0]].contains(Array(exif.prefix(4))))
        #expect(metadata.profile == nil && metadata.thumbnail == nil)
    }

    @Test("P24: the orientation is EXIF's; XMP's where EXIF does not say", arguments: ["jpg", "png", "webp"])
    func orientation(format: String) throws {
        #expect(try Self.info(Self.fixture("both.\(format)")).orientation == .right)
        #expect(try Self.metadata(Self.fixture("both.\(format)")).orientation == .right)
        #expect(try Self.info(Self.fixture("xmp.\(format)")).orientation == .left)
        #expect(try Self.metadata(Self.fixture("xmp.\(format)")).orientation == .left)
        #expect(try Self.info(Self.fixture("plain.\(format)")).orientation == .up)
        #expect(try Self.metadata(Self.fixture("plain.\(format)")).isEmpty)
    }

    @Test("the profile is the file's own", arguments: ["p3.jpg", "p3.png", "p3-alpha.webp"])
    func profile(file: String) throws {
        let profile = try Self.metadata(Fixture.bytes("color/\(file)")).profile
        #expect(profile?.bytes.array == (try Fixture.bytes("color/p3.icc")))
    }

    @Test("F5: packed XMP is unpacked, and a bomb is not")
    func packed() throws {
        let text = try #require(Self.metadata(Self.fixture("packed-xmp.png")).xmp).array
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("<x>A title that is packed. A title"))
        #expect(text.count == 967)
        #expect(try Self.metadata(Fixture.bytes("png/text-bomb.png")).isEmpty)
    }

    @Test("a thumbnail is found, and only where it lies within EXIF")
    func thumbnail() throws {
        let metadata = try Self.metadata(Self.fixture("large.jpg"))
        let thumbnail = try #require(metadata.thumbnail).array
        #expect(try JPEGDecoder().info(thumbnail).storedSize == PixelSize(width: 160, height: 120))
        let exif = try #require(metadata.exif).array
        for length in 0..<exif.count {
            let cut = ImageMetadata(exif: Bytes(Array(exif.prefix(length))))
            #expect(cut.thumbnail == nil, "\(length)")
        }
    }

    @Test("C317: a thumbnail that is good enough is decoded in the picture's place, on request")
    func thumbnailInPlace() throws {
        let bytes = try Self.fixture("large.jpg")
        func decoded(_ side: Int, uses: Bool, _ bytes: [UInt8]) throws -> DecodedRows {
            let sink = BitmapSink()
            let options = DecodeOptions(
                minimumSize: PixelSize(width: side, height: side * 3 / 4), usesEmbeddedThumbnail: uses)
            try withExactCopy(of: bytes) { try JPEGDecoder().decode($0, options: options, into: sink) }
            return try #require(sink.takeBitmap()).rows
        }
        func isRed(_ rows: DecodedRows) -> Bool { rows.pixels[0] > 240 && rows.pixels[1] < 30 && rows.pixels[2] < 40 }
        let small = try decoded(160, uses: true, bytes)
        #expect(isRed(small) && small.size == PixelSize(width: 160, height: 120))
        #expect(try decoded(40, uses: true, bytes).size == PixelSize(width: 40, height: 30), "it shrinks too")
        #expect(try !isRed(decoded(160, uses: false, bytes)))
        #expect(try !isRed(decoded(161, uses: true, bytes)), "too small")
        #expect(try !isRed(decoded(100, uses: true, Self.fixture("letterbox.jpg"))), "another shape")
        // Damage within the thumbnail: the picture itself is whole.
        var damaged = bytes
        let range = try #require(Self.metadata(bytes).exif?.withUnsafeBytes(ExifThumbnail.range(inTIFF:)))
        for index in 30 + range.lowerBound + 60..<30 + range.upperBound { damaged[index] = 0 }
        #expect(try !isRed(decoded(160, uses: true, damaged)))
    }

    @Test("P29: a gain map is told, whoever says so", arguments: ["gain-map-primary.jpg", "gain-map-second.jpg"])
    func gainMap(file: String) throws {
        #expect(try Self.info(Self.fixture(file)).hasGainMap)
    }

    @Test("a JPEG without a gain map has none, though it may have two pictures", arguments: ["stereo.jpg", "both.jpg"])
    func noGainMap(file: String) throws {
        #expect(try !Self.info(Self.fixture(file)).hasGainMap)
    }

    @Test("F2: every prefix and every changed byte of metadata is read without harm")
    func damage() throws {
        for file in ["gain-map-second.jpg", "both.png", "both.webp", "both.jpg"] {
            let bytes = try Self.fixture(file)
            for length in stride(from: 0, to: bytes.count, by: 7) {
                _ = try? Self.metadata(Array(bytes.prefix(length)))
            }
            for index in 0..<min(bytes.count, 1_024) {
                var changed = bytes
                changed[index] ^= 0xFF
                _ = try? Self.metadata(changed)
                _ = try? Self.info(changed)
            }
        }
    }
}
#endif
