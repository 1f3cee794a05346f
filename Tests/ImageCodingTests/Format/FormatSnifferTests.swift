import Foundation
import ImageCoding
import Testing

@Suite("Format sniffing")
struct FormatSnifferTests {
    @Test("W038 C196 S106 S107: whole signatures decide", arguments: FormatSamples.pictures)
    func signatures(text: String, format: ImageFormat) {
        #expect(sniff(text) == format)
    }

    @Test("W038: what only resembles a picture is none", arguments: FormatSamples.impostors)
    func impostors(text: String) {
        #expect(sniff(text) == .unknown)
    }

    @Test(
        "real files of other programs are recognised",
        arguments: [
            ("png/rgba8.png", ImageFormat.png), ("png/text-bomb.png", .png), ("png/animated.png", .apng),
            ("webp/lossy.webp", .webp), ("webp/lossy-alpha.webp", .webp), ("webp/lossless.webp", .webp),
            ("webp/animated.webp", .animatedWebP), ("gif/plain.gif", .gif), ("gif/animated.gif", .gif),
        ])
    func files(path: String, format: ImageFormat) throws {
        #expect(sniff(try Fixture.bytes(path)) == format)
    }

    @Test(
        "no prefix reads past its end, and each is the format, a simpler relative, or unknown",
        arguments: FormatSamples.pictures)
    func prefixes(text: String, format: ImageFormat) {
        let bytes = FormatSamples.bytes(text)
        let allowed: Set<ImageFormat> = [
            format, .unknown, format == .animatedWebP ? .webp : format == .raw ? .tiff : .unknown,
        ]
        for length in 0..<bytes.count {
            let seen = sniff(Array(bytes[..<length]))
            // A list of brands that is cut off may end before the codec's name.
            #expect(allowed.contains(seen) || (seen == .heif && [.heic, .avif].contains(format)), "\(length) bytes")
        }
    }

    @Test("every prefix of an animated PNG is PNG until its animation chunk is seen")
    func animatedPNG() throws {
        let bytes = try Fixture.bytes("png/animated.png")
        for length in 0..<min(bytes.count, 400) {
            let expected: ImageFormat = length < 8 ? .unknown : length < 41 ? .png : .apng
            #expect(sniff(Array(bytes[..<length])) == expected, "\(length) bytes")
        }
    }

    @Test("P32 F19: a file that is two things at once has one answer")
    func polyglots() throws {
        #expect(sniff("GIF89a/*<svg>*/=1;alert(1)") == .gif)
        #expect(sniff("\u{FF}\u{D8}\u{FF}\u{E0}PK\u{3}\u{4}<svg>%PDF-1.4") == .jpeg)
        #expect(sniff(try Fixture.bytes("png/rgba8.png") + Array("<script>%PDF-".utf8)) == .png)
        #expect(sniff("%PDF-1.4 <svg>") == .pdf)
        #expect(sniff("BM<svg></svg><!--") == .unknown)
    }

    @Test("a walk over chunks with absurd lengths ends")
    func absurdChunks() {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(sniff(signature) == .png)
        #expect(sniff(signature + [0xFF, 0xFF, 0xFF, 0xFF] + Array("IHDR".utf8)) == .png)
        let empty = [UInt8](repeating: 0, count: 12 * 70_000)
        let late = empty + [0, 0, 0, 8] + Array("acTL".utf8)
        #expect(sniff(signature + late) == .png)
    }

    private func sniff(_ bytes: [UInt8]) -> ImageFormat {
        withExactCopy(of: bytes) { ImageFormat(sniffing: $0) }
    }

    private func sniff(_ text: String) -> ImageFormat { sniff(FormatSamples.bytes(text)) }
}
