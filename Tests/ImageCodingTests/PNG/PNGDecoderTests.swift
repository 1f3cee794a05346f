#if PNG
import ImageCoding
import Pixels
import Testing

@Suite("PNG decoding")
struct PNGDecoderTests {
    private let decoder = PNGDecoder()

    static let opaque = [
        "rgb8", "rgb8-interlaced", "gray8", "gray1", "gray2", "gray4", "palette8", "palette4", "rgb16-gamma", "gray16",
    ]
    static let transparent =
        [
            "rgba8", "rgba8-interlaced", "gray-alpha8", "gray8-key", "rgb8-key", "gray16-key", "palette-alpha-gamma",
            "rgba16", "split", "text-bomb", "optimised", "exif-6", "exif-6-late", "animated",
        ] + (1...9).map { "interlaced-\($0)" }

    static func expected(_ name: String) throws -> [UInt8] {
        try Fixture.bytes("png/\(name == "exif-6-late" ? "exif-6" : name).rgba")
    }

    @Test(
        "CVE-2025-64720: every kind of pixel becomes the 8 bits that other programs see",
        arguments: opaque + transparent)
    func pixels(name: String) throws {
        let rows = try decoder.decode(Fixture.bytes("png/\(name).png"))
        #expect(rows.format == (Self.opaque.contains(name) ? .rgbx8 : .rgba8))
        #expect(rows.pixels == (try Self.expected(name)))
    }

    @Test("the header tells size, alpha and passes without decoding", arguments: opaque + transparent)
    func info(name: String) throws {
        let bytes = try Fixture.bytes("png/\(name).png")
        let info = try decoder.info(bytes)
        let rows = try decoder.decode(bytes)
        #expect(info.storedSize == rows.size)
        #expect(info.hasAlpha == Self.transparent.contains(name))
        #expect(info.isProgressive == name.contains("interlaced"))
    }

    @Test("P24: orientation is read before and behind the pixels", arguments: ["exif-6", "exif-6-late"])
    func orientation(name: String) throws {
        #expect(try decoder.info(Fixture.bytes("png/\(name).png")).orientation == .right)
        #expect(try decoder.info(Fixture.bytes("png/rgba8.png")).orientation == .up)
    }

    @Test("a broken transparency chunk is passed over: the picture is opaque")
    func brokenTransparency() throws {
        var bytes = try Fixture.bytes("png/rgb8-key.png")
        let chunk = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("tRNS".utf8)) })
        bytes[chunk + 4] ^= 0xFF
        let rows = try decoder.decode(bytes)
        #expect(rows.format == .rgbx8)
        #expect(rows.pixels == (try decoder.decode(Fixture.bytes("png/rgb8.png")).pixels))
    }

    @Test("an animation tells its frames and shows its default picture")
    func animation() throws {
        let info = try decoder.info(Fixture.bytes("png/animated.png"))
        #expect(info.format == .apng)
        #expect(info.frameCount == 3)
    }

    @Test(
        "F2: a file that ends early is truncated",
        arguments: ["rgba8", "palette4", "rgba8-interlaced", "animated", "split"])
    func truncation(name: String) throws {
        let bytes = try Fixture.bytes("png/\(name).png")
        let whole = try decoder.decode(bytes)
        // An end chunk and an animation's other frames may be missing, and the last chunk's check sum when the stream in
        // it ended before.
        let end = try pixelsEnd(bytes)
        for cut in cuts(of: end) {
            switch decoder.outcome(Array(bytes[..<cut])) {
            case .success(let rows):
                #expect(rows == whole && cut >= end - 4, "a picture from \(cut) of \(bytes.count) bytes")
            case .failure(let error):
                // Within the signature the bytes are no PNG yet.
                #expect(error.code == (cut < 8 ? .malformed : .truncated), "\(cut): \(error)")
            }
        }
    }

    @Test("F6: a missing end chunk does not lose the picture")
    func missingEnd() throws {
        let bytes = try Fixture.bytes("png/rgba8.png")
        #expect(try decoder.decode(Array(bytes.dropLast(12))).pixels == Self.expected("rgba8"))
    }

    @Test("F6: a wrong check sum of a chunk that the pixels need is an error")
    func checkSum() throws {
        var bytes = try Fixture.bytes("png/palette4.png")
        bytes[29] ^= 1
        #expect(decoder.outcome(bytes).failureCode == .malformed)
        bytes[29] ^= 1
        bytes[try pixelsEnd(bytes) - 1] ^= 1
        #expect(decoder.outcome(bytes).failureCode == .malformed)
    }

    @Test("F6: a damaged packed text or profile costs nothing and hides nothing")
    func skippedChunks() throws {
        var bytes = try Fixture.bytes("png/text-bomb.png")
        bytes[60] ^= 0xFF
        #expect(try decoder.decode(bytes).pixels == Self.expected("text-bomb"))
    }

    @Test("F6: a hundred thousand empty chunks hide nothing")
    func emptyChunks() throws {
        let chunk: [UInt8] = [0, 0, 0, 0] + Array("prVt".utf8) + [0xA6, 0x87, 0x8C, 0x49]
        var bytes = try Fixture.bytes("png/rgba8.png")
        bytes.insert(contentsOf: Array(repeating: chunk, count: 100_000).joined(), at: 33)
        #expect(try decoder.decode(bytes).pixels == Self.expected("rgba8"))
    }

    @Test(
        "F3: flipped bits give a picture or a typed error, twice the same",
        arguments: ["rgba8", "rgba8-interlaced", "palette-alpha-gamma", "rgba16", "animated"])
    func flips(name: String) throws {
        let bytes = try Fixture.bytes("png/\(name).png")
        for position in stride(from: 0, to: bytes.count, by: bytes.count > 2_000 ? 97 : 7) {
            var damaged = bytes
            damaged[position] ^= 1 << UInt8(position % 8)
            #expect(decoder.outcome(damaged) == decoder.outcome(damaged), "at \(position)")
        }
    }

    @Test(
        "F4: a huge header is refused before any memory is asked for",
        arguments: [
            (65_535, 65_535, CodingError.Code.tooManyPixels), (0x7FFF_FFFF, 0x7FFF_FFFF, .sideTooLong),
            (0, 9, .malformed),
        ])
    func limits(width: UInt32, height: UInt32, code: CodingError.Code) throws {
        var bytes = try Fixture.bytes("png/rgba8.png")
        withUnsafeBytes(of: width.bigEndian) { bytes.replaceSubrange(16..<20, with: $0) }
        withUnsafeBytes(of: height.bigEndian) { bytes.replaceSubrange(20..<24, with: $0) }
        let error = #expect(throws: CodingError.self) {
            try bytes.withUnsafeBytes { try decoder.decode($0, options: DecodeOptions(), into: ForbiddenSink()) }
        }
        #expect(error?.code == code)
    }

    @Test("no bytes, and bytes of another format, are typed errors")
    func wrongBytes() throws {
        #expect(decoder.outcome([]).failureCode == .malformed)
        #expect(decoder.outcome(try Fixture.bytes("gif/plain.gif")).failureCode == .malformed)
    }

    @Test("a request to stop ends the decode", arguments: ["rgba8", "rgba8-interlaced"])
    func cancellation(name: String) throws {
        let options = DecodeOptions(shouldContinue: { false })
        let bytes = try Fixture.bytes("png/\(name).png")
        let error = #expect(throws: CodingError.self) {
            try bytes.withUnsafeBytes { try decoder.decode($0, options: options, into: BitmapSink()) }
        }
        #expect(error?.code == .cancelled)
    }

    /// Where the last chunk of pixels ends.
    private func pixelsEnd(_ bytes: [UInt8]) throws -> Int {
        var position = 8
        var end = 0
        while position + 12 <= bytes.count {
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = Array(bytes[position + 4..<position + 8])
            position += length + 12
            if name == Array("IDAT".utf8) { end = position }
        }
        return try #require(end > 0 ? end : nil)
    }
}
#endif
