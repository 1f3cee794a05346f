#if JPEG && PNG && AVIF && HEIF && JPEGXL && TIFF && RAW
import ByteBuffers
import Pixels
import Testing

@testable import ImageCoding

/// EXIF, XMP and profiles of the formats that keep them in boxes and tags, and in the ways from before there was a place.
@Suite("Metadata in containers")
struct ContainerMetadataTests {
    private static func metadata(_ file: String) throws -> ImageMetadata {
        try ImageMetadataTests.metadata(ImageMetadataTests.fixture(file))
    }

    @Test(
        "C311: EXIF, XMP and the profile are what other programs wrote",
        arguments: ["both.avif", "both.heic", "boxes.jxl", "both.tiff"])
    func pieces(file: String) throws {
        let metadata = try Self.metadata(file)
        // What exiftool takes out of JPEG XL is empty: there the packet is that of its kin.
        let packet = file == "boxes.jxl" ? "both.heic" : file
        #expect(try metadata.xmp?.array == ImageMetadataTests.fixture("\(packet).xmp.txt"))
        let exif = try #require(metadata.exif).array
        #expect(String(decoding: exif, as: UTF8.self).contains("A painter"))
        #expect([[0x4D, 0x4D, 0, 42], [0x49, 0x49, 42, 0]].contains(Array(exif.prefix(4))))
        #expect(metadata.orientation == .right)
        #expect(try metadata.profile?.bytes.array == Fixture.bytes("color/p3.icc"))
    }

    @Test("boxes that are packed are unpacked")
    func packed() throws {
        let bytes = try ImageMetadataTests.fixture("both.jxl")
        #expect(bytes.firstRange(of: Array("brob".utf8)) != nil)
        let metadata = try Self.metadata("both.jxl")
        #expect(try metadata.xmp?.array == ImageMetadataTests.fixture("both.jpg.xmp.txt"))
        #expect(String(decoding: try #require(metadata.exif).array, as: UTF8.self).contains("A painter"))
        #expect(try ImageMetadataTests.info(bytes).orientation == .right)
    }

    @Test("a file without any says so", arguments: ["plain.avif", "plain.heic", "plain.tiff"])
    func plain(file: String) throws {
        let metadata = try Self.metadata(file)
        #expect(metadata.exif == nil && metadata.xmp == nil && metadata.orientation == nil)
    }

    @Test("a TIFF's directories become an EXIF structure of their own")
    func directories() throws {
        let exif = try #require(Self.metadata("both.tiff").exif)
        try exif.withUnsafeBytes { exif in
            let tiff = try #require(TIFFReader(exif))
            let directory = TIFFDirectory(tiff, at: try #require(tiff.firstDirectory), limit: exif.count)
            let camera = try #require(directory.directories[TIFFDirectory.Tag.exif])
            // ExposureTime, two numbers of four bytes: 1/250.
            #expect(camera.entries[0x829A]?.values == [1, 0, 0, 0, 250, 0, 0, 0])
            let place = try #require(directory.directories[TIFFDirectory.Tag.gps])
            #expect(place.entries[1]?.values == Array("N\0".utf8))
            // How pixels are stored is no EXIF.
            #expect(directory.entries[273] == nil && directory.entries[256] == nil)
        }
    }

    @Test("a camera's file that is built like a TIFF has its EXIF")
    func camera() throws {
        let metadata = try ImageMetadataTests.metadata(Fixture.bytes("raw/turned.dng"))
        #expect(metadata.orientation == .right)
        #expect(String(decoding: try #require(metadata.exif).array, as: UTF8.self).contains("By hand"))
    }

    @Test("XMP that goes on in further segments is joined, whatever their order, and written again")
    func extended() throws {
        let metadata = try Self.metadata("extended.jpg")
        let expected = try ImageMetadataTests.fixture("extended.xmp.txt")
        #expect(metadata.extendedXMP?.array == expected)
        #expect(try #require(metadata.xmp).count < 400)
        let bitmap = try MetadataEncodingTests.decode("metadata/plain.png")
        var long = metadata
        long.extendedXMP = Bytes(Array(repeatElement(expected, count: 100).joined()))
        for kept in [metadata, long] {
            let bytes = try MetadataEncodingTests.encode(bitmap, .jpeg, EncodeOptions(metadata: kept))
            #expect(try ImageMetadataTests.metadata(bytes) == kept)
        }
    }

    @Test("of extended XMP nothing comes when a part is missing, is another's, or contradicts the others")
    func brokenExtension() throws {
        let bytes = try ImageMetadataTests.fixture("extended.jpg")
        let introduction = Array(JPEGExtendedXMP.introduction.utf8)
        let first = try #require(bytes.firstRange(of: introduction))
        for offset in [0, 3, 32, 35, 36, 39] {
            var changed = bytes
            changed[first.upperBound + offset] ^= 0x40
            #expect(try ImageMetadataTests.metadata(changed).extendedXMP == nil, "\(offset)")
        }
        var missing = bytes
        missing[first.lowerBound] ^= 1
        #expect(try ImageMetadataTests.metadata(missing).extendedXMP == nil)
    }

    @Test("EXIF and XMP as digits in a PNG's texts are read, packed and not", arguments: ["packed", "segment"])
    func rawProfiles(name: String) throws {
        let bytes = try ImageMetadataTests.fixture("raw-\(name).png")
        let metadata = try ImageMetadataTests.metadata(bytes)
        #expect(String(decoding: try #require(metadata.exif).array, as: UTF8.self).contains("A painter"))
        #expect(try ImageMetadataTests.info(bytes).orientation == .right)
        let packet = try ImageMetadataTests.fixture("both.jpg.xmp.txt")
        #expect(metadata.xmp?.array == (name == "packed" ? packet : nil))
    }

    @Test("F5: digits that unpack to more than metadata may have are passed over")
    func digitBomb() throws {
        let bytes = try ImageMetadataTests.fixture("raw-bomb.png")
        #expect(try ImageMetadataTests.metadata(bytes).isEmpty)
        #expect(try ImageMetadataTests.info(bytes).orientation == .up)
    }

    @Test(
        "F2 F3: every prefix and every changed byte of metadata is read without harm",
        arguments: [
            "both.avif", "both.heic", "both.jxl", "boxes.jxl", "both.tiff", "extended.jpg", "raw-packed.png",
            "raw-segment.png",
        ])
    func damage(file: String) throws {
        let bytes = try ImageMetadataTests.fixture(file)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            _ = try? ImageMetadataTests.metadata(Array(bytes.prefix(length)))
        }
        for index in 0..<bytes.count {
            var changed = bytes
            changed[index] ^= 0xFF
            guard let metadata = try? ImageMetadataTests.metadata(changed) else { continue }
            #expect((metadata.exif?.count ?? 0) < 1 << 16 && (metadata.xmp?.count ?? 0) < 1 << 16)
        }
    }

    @Test("F10: directories that lead to each other, and values that lie over each other, are copied once")
    func hostileDirectories() throws {
        // The first directory names itself as EXIF's, which names itself as the one of interoperability.
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            TIFFDirectory.number(tag, length: 2) + TIFFDirectory.number(type, length: 2)
                + TIFFDirectory.number(count, length: 4) + TIFFDirectory.number(value, length: 4)
        }
        var bytes: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 3, 0]
        bytes += entry(0x010E, 2, 60, 0) + entry(TIFFDirectory.Tag.exif, 4, 1, 8)
        bytes += entry(TIFFDirectory.Tag.interoperability, 4, 1, 8) + [UInt8](repeating: 0, count: 64)
        bytes.withUnsafeBytes { bytes in
            guard let tiff = TIFFReader(bytes) else { return }
            let directory = TIFFDirectory(tiff, at: 8, limit: 1_000)
            #expect(directory.bytes(at: 8).count < 600)
            let short = TIFFDirectory(tiff, at: 8, limit: 100)
            #expect(short.entries.count == 1 && short.directories.count == 1)
        }
    }
}
#endif
