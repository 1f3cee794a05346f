#if GIF
import ImageCoding
import Pixels
import Testing

@Suite("GIF decoding")
struct GIFDecoderTests {
    private let decoder = GIFDecoder()

    static let opaque = ["plain", "interlaced", "animated", "one-frame"]
    static let transparent = ["transparent", "offset", "clipped", "clipped-interlaced"]

    @Test("the first picture lies on its canvas as other programs put it", arguments: opaque + transparent)
    func pixels(name: String) throws {
        let rows = try decoder.decode(Fixture.bytes("gif/\(name).gif"))
        #expect(rows.format == (Self.opaque.contains(name) ? .rgbx8 : .rgba8))
        #expect(rows.pixels == (try Fixture.bytes("gif/\(name).rgba")))
    }

    @Test("the header tells canvas, alpha, passes and frames without decoding", arguments: opaque + transparent)
    func info(name: String) throws {
        let bytes = try Fixture.bytes("gif/\(name).gif")
        let info = try decoder.info(bytes)
        #expect(info.storedSize == (try decoder.decode(bytes)).size)
        #expect(info.hasAlpha == Self.transparent.contains(name))
        #expect(info.isProgressive == name.contains("interlaced"))
        #expect(info.frameCount == (name == "animated" ? 3 : 1))
        #expect(try decoder.info(Array(bytes.dropLast())).frameCount == nil)
    }

    @Test("F2: a file that ends early is truncated", arguments: ["plain", "interlaced", "transparent", "offset"])
    func truncation(name: String) throws {
        let bytes = try Fixture.bytes("gif/\(name).gif")
        // Only the trailer may be missing.
        for cut in 0..<bytes.count - 1 {
            guard case .failure(let error) = decoder.outcome(Array(bytes[..<cut])) else {
                Issue.record("a picture from \(cut) of \(bytes.count) bytes")
                continue
            }
            #expect(error.code == (cut < 6 ? .malformed : .truncated), "\(cut): \(error)")
        }
        #expect(try decoder.decode(Array(bytes.dropLast())).pixels == Fixture.bytes("gif/\(name).rgba"))
    }

    @Test("F3: flipped bits give a picture or a typed error, twice the same", arguments: opaque + transparent)
    func flips(name: String) throws {
        let bytes = try Fixture.bytes("gif/\(name).gif")
        for position in stride(from: 0, to: bytes.count, by: 5) {
            var damaged = bytes
            damaged[position] ^= 1 << UInt8(position % 8)
            // A flip in the header may ask for a canvas that is allowed but needlessly large for a test.
            guard let size = try? decoder.info(damaged).storedSize, (size.pixelCount ?? 0) < 1 << 22 else { continue }
            #expect(decoder.outcome(damaged) == decoder.outcome(damaged), "at \(position)")
        }
    }

    @Test("F12: a picture without any palette is a typed error")
    func noPalette() throws {
        #expect(decoder.outcome(try Fixture.bytes("gif/no-palette.gif")).failureCode == .malformed)
    }

    @Test("F12: a file without a picture is a typed error")
    func noPicture() throws {
        let bytes = try Fixture.bytes("gif/plain.gif")
        let header = Array(bytes[..<(13 + (3 << (Int(bytes[10] & 7) + 1)))])
        #expect(decoder.outcome(header + [0x3B]).failureCode == .malformed)
        #expect(decoder.outcome(header).failureCode == .truncated)
    }

    @Test(
        "F12 S091: a huge or empty canvas is refused before any memory is asked for",
        arguments: [(UInt8.max, CodingError.Code.tooManyPixels), (0, .malformed)])
    func limits(byte: UInt8, code: CodingError.Code) throws {
        var bytes = try Fixture.bytes("gif/plain.gif")
        bytes.replaceSubrange(6..<10, with: Array(repeating: byte, count: 4))
        let error = #expect(throws: CodingError.self) {
            try bytes.withUnsafeBytes { try decoder.decode($0, options: DecodeOptions(), into: ForbiddenSink()) }
        }
        #expect(error?.code == code)
    }

    @Test("F12: a huge picture on a small canvas is refused, though little of it would be seen")
    func hugePicture() throws {
        var bytes = try Fixture.bytes("gif/interlaced.gif")
        let picture = try pictureStart(bytes)
        bytes.replaceSubrange(picture + 5..<picture + 9, with: Array(repeating: 0xFF, count: 4))
        let error = #expect(throws: CodingError.self) {
            try bytes.withUnsafeBytes { try decoder.decode($0, options: DecodeOptions(), into: ForbiddenSink()) }
        }
        #expect(error?.code == .tooManyPixels)
    }

    /// Where the first picture's description starts in a file whose global palette is followed by it or by extensions.
    private func pictureStart(_ bytes: [UInt8]) throws -> Int {
        var position = 13 + (3 << (Int(bytes[10] & 7) + 1))
        while bytes[position] == 0x21 {
            position += 2
            while bytes[position] != 0 { position += 1 + Int(bytes[position]) }
            position += 1
        }
        try #require(bytes[position] == 0x2C)
        return position
    }

    @Test("no bytes, and bytes of another format, are typed errors")
    func wrongBytes() throws {
        #expect(decoder.outcome([]).failureCode == .malformed)
        #expect(decoder.outcome(try Fixture.bytes("png/rgba8.png")).failureCode == .malformed)
    }
}
#endif
