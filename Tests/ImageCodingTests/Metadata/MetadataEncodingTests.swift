#if JPEG && PNG && WebP && AVIF && HEIF && JPEGXL && TIFF
import ByteBuffers
import Pixels
import Testing

@testable import ImageCoding

@Suite("Encode options")
struct MetadataEncodingTests {
    static let formats: [ImageFormat] = [.jpeg, .png, .webp, .avif, .jpegXL, .tiff] + heic
    /// Where libheif has an encoder.
    static let heic = HEIFEncoder().encodableFormats

    static func decode(_ file: String) throws -> Bitmap {
        try CoderRegistry.standard.decode(Bytes(Fixture.bytes(file)))
    }

    static func encode(_ bitmap: Bitmap, _ format: ImageFormat, _ options: EncodeOptions) throws -> [UInt8] {
        try CoderRegistry.standard.encode(bitmap, as: format, options: options).array
    }

    @Test("P24 P33: metadata is kept on request, upright; stripped by default", arguments: formats)
    func kept(format: ImageFormat) throws {
        let bitmap = try Self.decode("metadata/plain.png")
        let metadata = try ImageMetadataTests.metadata(ImageMetadataTests.fixture("both.jpg"))
        let bytes = try Self.encode(bitmap, format, EncodeOptions(metadata: metadata))
        let found = try ImageMetadataTests.metadata(bytes)
        let exif = String(decoding: try #require(found.exif).array, as: UTF8.self)
        #expect(exif.contains("A painter"))
        // A TIFF has EXIF in its own directories, in another order.
        if format != .tiff {
            let changed = zip(try #require(found.exif).array, try #require(metadata.exif).array).filter { $0 != $1 }
            #expect(changed.count == 1, "the orientation's one byte")
        }
        #expect(String(decoding: try #require(found.xmp).array, as: UTF8.self).contains("A title"))
        #expect(try ImageMetadataTests.info(bytes).orientation == .up)
        #expect(found.xmp.map { ImageMetadata(xmp: $0).orientation } == .up)
        #expect(try ImageMetadataTests.metadata(Self.encode(bitmap, format, EncodeOptions())).isEmpty)
    }

    @Test("a kept EXIF loses the thumbnail of what was")
    func oldThumbnail() throws {
        let metadata = try ImageMetadataTests.metadata(ImageMetadataTests.fixture("large.jpg"))
        let bitmap = try Self.decode("metadata/plain.png")
        let bytes = try Self.encode(bitmap, .jpeg, EncodeOptions(metadata: metadata))
        let exif = try #require(ImageMetadataTests.metadata(bytes).exif).array
        #expect(ImageMetadata(exif: Bytes(exif)).thumbnail == nil)
        #expect(exif.indices.dropLast(2).allSatisfy { exif[$0] != 0xFF || exif[$0 + 1] != 0xD8 })
    }

    @Test("C213: a thumbnail is put into EXIF, with and without other EXIF", arguments: [false, true])
    func newThumbnail(keepsMetadata: Bool) throws {
        let bitmap = try Self.decode("metadata/large.jpg")
        var options = EncodeOptions(thumbnailSide: 96)
        if keepsMetadata {
            options.metadata = try ImageMetadataTests.metadata(ImageMetadataTests.fixture("large.jpg"))
        }
        let bytes = try Self.encode(bitmap, .jpeg, options)
        let metadata = try ImageMetadataTests.metadata(bytes)
        let thumbnail = try #require(metadata.thumbnail).array
        let small = try JPEGDecoder().decode(thumbnail)
        #expect(small.size == PixelSize(width: 72, height: 96))
        #expect(metadata.orientation == .up)
        // It shows the picture: red and green of the corners are the same, blue is a fine pattern.
        let large = bitmap.rows.pixels
        #expect((0..<2).allSatisfy { abs(Int(small.pixels[$0]) - Int(large[$0])) < 24 })
    }

    #if LCMS
    @Test("P29: colours that are not sRGB are named in the file", arguments: formats + [.bmp])
    func colors(format: ImageFormat) throws {
        let bitmap = try Self.decode("metadata/plain.png")
        let profile = try #require(ICCProfile(Bytes(Fixture.bytes("color/p3.icc"))))
        let bytes = try Self.encode(bitmap, format, EncodeOptions(color: .icc(profile)))
        if format == .jpegXL {
            // With loss libjxl keeps the numbers of a profile, not its bytes.
            guard case .icc(let made) = try ImageMetadataTests.info(bytes).color else {
                Issue.record("no profile")
                return
            }
            #expect(made.space == .rgb && !made.isSRGB)
            let exact = try Self.encode(bitmap, format, EncodeOptions(isLossless: true, color: .icc(profile)))
            #expect(try ImageMetadataTests.info(exact).color == .icc(profile))
        } else {
            #expect(try ImageMetadataTests.info(bytes).color == .icc(profile))
        }
        // Formats with numbers for it say sRGB, the others nothing.
        #expect(
            [.unspecified, .sRGB].contains(
                try ImageMetadataTests.info(Self.encode(bitmap, format, EncodeOptions())).color))

        let codes = ColorCodePoints(primaries: 12, transfer: 13)
        let named = try ImageMetadataTests.info(Self.encode(bitmap, format, EncodeOptions(color: .codePoints(codes))))
        switch named.color {
        case .codePoints(let found): #expect(found.primaries == 12 && found.transfer == 13)
        case .icc(let made):
            #expect(![.png, .avif, .heic, .jpegXL].contains(format), "\(format) has numbers for it")
            #expect(made.space == .rgb && !made.isSRGB)
        default: Issue.record("\(named.color)")
        }
        let inks = try #require(ICCProfile(Bytes(Fixture.bytes("color/inks.icc"))))
        let error = #expect(throws: CodingError.self) {
            try Self.encode(bitmap, format, EncodeOptions(color: .icc(inks)))
        }
        #expect(error?.code == .unsupportedFeature)
    }
    #endif

    @Test("PQ has no profile: formats with numbers name it, others say that they cannot", arguments: formats + [.bmp])
    func highRange(format: ImageFormat) throws {
        let bitmap = try Self.decode("metadata/plain.png")
        let options = EncodeOptions(color: .codePoints(ColorCodePoints(primaries: 9, transfer: 16)))
        if [.png, .avif, .heic, .jpegXL].contains(format) {
            #expect(try ImageMetadataTests.info(Self.encode(bitmap, format, options)).color.isHighDynamicRange)
        } else {
            #expect(throws: CodingError.self) { try Self.encode(bitmap, format, options) }
        }
    }

    @Test("C211: a larger picture is made smaller in its own shape, a smaller one stays", arguments: formats)
    func maximumSize(format: ImageFormat) throws {
        let bitmap = try Self.decode("metadata/large.jpg")
        func size(_ width: Int, _ height: Int) throws -> PixelSize {
            let limit = PixelSize(width: width, height: height)
            return try ImageMetadataTests.info(Self.encode(bitmap, format, EncodeOptions(maximumPixelSize: limit)))
                .storedSize
        }
        // The picture is stored lying and shown standing.
        #expect(bitmap.size == PixelSize(width: 480, height: 640))
        #expect(try size(100, 1_000) == PixelSize(width: 100, height: 133))
        #expect(try size(1_000, 64) == PixelSize(width: 48, height: 64))
        #expect(try size(480, 640) == bitmap.size)
        #expect(try size(1, 1) == PixelSize(width: 1, height: 1))
    }

    @Test("C211: pixels become the mean of those under them")
    func means() throws {
        let four = try Bitmap(
            PixelSize(width: 3, height: 2), .rgba8,
            [0, 0, 0, 255, 90, 30, 60, 255, 180, 60, 120, 255, 10, 0, 0, 255, 100, 30, 60, 255, 190, 60, 120, 255])
        let one = try four.shrunk(to: PixelSize(width: 1, height: 1)).rows
        #expect(one.pixels == [95, 30, 60, 255])
        // Three columns into two: each takes one and a half.
        let two = try four.shrunk(to: PixelSize(width: 2, height: 2)).rows
        #expect(Array(two.pixels.prefix(8)) == [30, 10, 20, 255, 150, 50, 100, 255])
    }

    @Test("C212: the file is no larger than it may be, and no smaller than it has to", arguments: formats)
    func maximumBytes(format: ImageFormat) throws {
        let bitmap = try CoderRegistry.standard.decode(
            Bytes(ImageMetadataTests.fixture("large.jpg")), minimumSize: PixelSize(width: 120, height: 160))
        let plain = try Self.encode(bitmap, format, EncodeOptions(quality: 90)).count
        for share in [2, 5] {
            let limit = plain / share
            let bytes = try Self.encode(bitmap, format, EncodeOptions(quality: 90, maximumBytes: limit))
            #expect(bytes.count <= limit)
            // A step of AVIF's quality is a large one.
            #expect(bytes.count > limit * 9 / 20, "\(format) \(share): \(bytes.count) of \(limit)")
        }
        let same = try Self.encode(bitmap, format, EncodeOptions(quality: 90, maximumBytes: plain))
        #expect(same.count == plain)
        let error = #expect(throws: CodingError.self) {
            try Self.encode(bitmap, format, EncodeOptions(maximumBytes: 20))
        }
        #expect(error?.code == .tooManyBytes)
    }

    @Test(
        "C210: transparent pixels are laid over the background",
        arguments: [OpaqueColor.white, .black, .init(red: 200, green: 0, blue: 90)])
    func background(color: OpaqueColor) throws {
        let bitmap = try Bitmap(PixelSize(width: 1, height: 1), .rgba8, [0, 0, 0, 0])
        let half = try Bitmap(PixelSize(width: 1, height: 1), .rgba8, [0, 128, 0, 128])
        let options = EncodeOptions(quality: 100, background: color)
        let bare = try JPEGDecoder().decode(Self.encode(bitmap, .jpeg, options)).pixels
        let mixed = try JPEGDecoder().decode(Self.encode(half, .jpeg, options)).pixels
        let wanted = [color.red, color.green, color.blue].map(Int.init)
        #expect(zip(bare, wanted).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(bare)")
        let expected = [wanted[0] * 127 / 255, 128 + wanted[1] * 127 / 255, wanted[2] * 127 / 255]
        #expect(zip(mixed, expected).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(mixed)")
    }

    @Test("WebP without loss comes back exactly, PNG in passes too")
    func lossless() throws {
        let bitmap = try Self.decode("color/p3-alpha.webp")
        let webp = try Self.encode(bitmap, .webp, EncodeOptions(isLossless: true))
        // Colours are divided by alpha for the file and multiplied again.
        #expect(try Self.closest(bitmap, webp) <= 1)
        let opaque = try Self.decode("metadata/plain.png")
        #expect(try Self.closest(opaque, Self.encode(opaque, .webp, EncodeOptions(isLossless: true, effort: 9))) == 0)
        let passes = try Self.encode(opaque, .png, EncodeOptions(isProgressive: true))
        #expect(try ImageMetadataTests.info(passes).isProgressive)
        #expect(try Self.closest(opaque, passes) == 0)
    }

    @Test(
        "what is to be without loss comes back exactly, at any quality",
        arguments: [.avif, .jpegXL, .tiff, .bmp] + heic)
    func lossless(format: ImageFormat) throws {
        let opaque = try Self.decode("metadata/plain.png")
        for options in [EncodeOptions(quality: 10, isLossless: true), EncodeOptions(isLossless: true, effort: 2)] {
            #expect(try Self.closest(opaque, Self.encode(opaque, format, options)) == 0)
        }
        // Colours are divided by alpha for the file and multiplied again.
        let clear = try Self.decode("color/p3-alpha.webp")
        #expect(try Self.closest(clear, Self.encode(clear, format, EncodeOptions(quality: 10, isLossless: true))) <= 1)
    }

    @Test("AVIF keeps colours at their full resolution from quality 90")
    func fullColour() throws {
        // Columns of red and blue: at half the resolution they become one colour.
        let row = (0..<16).flatMap { $0 % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 255, 255] as [UInt8] }
        let bitmap = try Bitmap(
            PixelSize(width: 16, height: 8), .rgbx8, Array(repeatElement(row, count: 8).joined()))
        func difference(_ quality: Int) throws -> Int {
            try Self.closest(bitmap, Self.encode(bitmap, .avif, EncodeOptions(quality: quality)))
        }
        #expect(try difference(89) > 60)
        #expect(try difference(90) < 20)
    }

    @Test("JPEG XL comes in passes when asked for")
    func passes() throws {
        let bitmap = try Self.decode("metadata/large.jpg")
        let (plain, passes) = try (
            Self.encode(bitmap, .jpegXL, EncodeOptions()),
            Self.encode(bitmap, .jpegXL, EncodeOptions(isProgressive: true))
        )
        #expect(plain != passes)
        #expect(try Self.mean(bitmap, passes) < 8)
    }

    private static func mean(_ bitmap: Bitmap, _ bytes: [UInt8]) throws -> Double {
        difference(bitmap.rows.pixels, try CoderRegistry.standard.decode(Bytes(bytes)).rows.pixels).mean
    }

    private static func closest(_ bitmap: Bitmap, _ bytes: [UInt8]) throws -> Int {
        let other = try CoderRegistry.standard.decode(Bytes(bytes)).rows
        try #require(other.size == bitmap.size)
        return zip(bitmap.rows.pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    @Test("more effort makes no larger files", arguments: formats)
    func effort(format: ImageFormat) throws {
        let bitmap = try Self.decode("metadata/letterbox.jpg")
        let quick = try Self.encode(bitmap, format, EncodeOptions(effort: 1)).count
        let careful = try Self.encode(bitmap, format, EncodeOptions(effort: 10)).count
        #expect(careful < quick, "\(format): \(careful) \(quick)")
    }

    @Test("16 bits go into a PNG and come back")
    func sixteenBits() throws {
        let bitmap = try CoderRegistry.standard.decode(
            Bytes(Fixture.bytes("color/p3-16.png")), color: .keep, depth: .asStored)
        let bytes = try CoderRegistry.standard.encode(bitmap, as: .png)
        #expect(try ImageMetadataTests.info(bytes.array).bitsPerComponent == 16)
        #expect(try CoderRegistry.standard.decode(bytes, depth: .asStored).rows == bitmap.rows)
        let clear = try CoderRegistry.standard.decode(Bytes(Fixture.bytes("png/rgba16.png")), depth: .asStored)
        let again = try CoderRegistry.standard.decode(
            CoderRegistry.standard.encode(clear, as: .png), depth: .asStored)
        #expect(clear.format == .rgba16 && again.rows == clear.rows)
    }

    @Test("what JPEG has no room for is an error that says so")
    func tooLong() throws {
        let bitmap = try Self.decode("metadata/plain.png")
        let long = ImageMetadata(xmp: Bytes([UInt8](repeating: 32, count: 70_000)))
        let error = #expect(throws: CodingError.self) {
            try Self.encode(bitmap, .jpeg, EncodeOptions(metadata: long))
        }
        #expect(error?.code == .encodingFailed && error?.message.contains("XMP has 70000 bytes") == true)
        #expect(
            try ImageMetadataTests.metadata(Self.encode(bitmap, .png, EncodeOptions(metadata: long))).xmp == long.xmp)
    }
}
#endif
