#if WebP
import ByteBuffers
import ImageCoding
import Pixels
import Synchronization
import Testing

@Suite("WebP decoding")
struct WebPDecoderTests {
    private let decoder = WebPDecoder()

    static let opaque = ["lossy", "lossless-opaque", "one", "exif-6"]
    static let transparent = ["lossy-alpha", "lossless", "animated", "offset"]

    @Test(
        "stills, and the first picture of an animation, are what dwebp makes of them", arguments: opaque + transparent)
    func pixels(name: String) throws {
        let rows = try decoder.decode(Fixture.bytes("webp/\(name).webp"))
        #expect(rows.format == (Self.opaque.contains(name) ? .rgbx8 : .rgba8))
        #expect(rows.pixels == (try Fixture.bytes("webp/\(name).rgba")))
    }

    @Test("a lossless WebP and a PNG of one picture decode to the same bytes")
    func samePixelsAsPNG() throws {
        let webP = try decoder.decode(Fixture.bytes("webp/lossless.webp"))
        #expect(try PNGDecoder().decode(Fixture.bytes("png/rgba8.png")) == webP)
    }

    @Test("W002: a smaller size is made while decoding, exactly as asked", arguments: ["large", "large-alpha"])
    func scaled(name: String) throws {
        let size = PixelSize(width: 40, height: 30)
        let rows = try decoder.decode(Fixture.bytes("webp/\(name).webp"), minimumSize: size)
        #expect(rows.size == size)
        #expect(rows.pixels == (try Fixture.bytes("webp/\(name)-40x30.rgba")))
    }

    @Test(
        "a scaled picture keeps its shape and covers the minimum",
        arguments: [
            (40, 1, 40, 30), (1, 60, 80, 60), (159, 119, 159, 119), (160, 10, 160, 120), (400, 300, 160, 120),
            (0, 0, 160, 120), (1, 1, 1, 1),
        ])
    func covering(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) throws {
        let minimum = PixelSize(width: width, height: height)
        let rows = try decoder.decode(Fixture.bytes("webp/large.webp"), minimumSize: minimum)
        #expect(rows.size == PixelSize(width: expectedWidth, height: expectedHeight))
    }

    @Test("the header tells size and alpha without decoding", arguments: opaque + transparent)
    func info(name: String) throws {
        let bytes = try Fixture.bytes("webp/\(name).webp")
        let info = try decoder.info(bytes)
        #expect(info.storedSize == (try decoder.decode(bytes)).size)
        #expect(info.hasAlpha == Self.transparent.contains(name))
        #expect(info.orientation == (name == "exif-6" ? .right : .up))
    }

    @Test("an animation tells its frames", arguments: [("animated", 4), ("offset", 2)])
    func animation(name: String, frames: Int) throws {
        let bytes = try Fixture.bytes("webp/\(name).webp")
        let info = try decoder.info(bytes)
        #expect(info.format == .animatedWebP)
        #expect(info.frameCount == frames)
        #expect(try decoder.info(bytes.dropLast()).frameCount == nil)
    }

    @Test("F2: a file that ends early is truncated", arguments: opaque + ["lossy-alpha", "lossless"])
    func truncation(name: String) throws {
        let bytes = try Fixture.bytes("webp/\(name).webp")
        for cut in cuts(of: name == "exif-6" ? try pictureEnd(bytes) : bytes.count) {
            #expect(decoder.outcome(Array(bytes[..<cut])).failureCode == .truncated, "\(cut) of \(bytes.count)")
        }
    }

    @Test(
        "F2: an animation that ends early shows its first picture or is truncated", arguments: ["animated", "offset"])
    func truncatedAnimation(name: String) throws {
        let bytes = try Fixture.bytes("webp/\(name).webp")
        let whole = try decoder.decode(bytes)
        for cut in cuts(of: bytes.count) {
            switch decoder.outcome(Array(bytes[..<cut])) {
            case .success(let rows): #expect(rows == whole, "\(cut) of \(bytes.count)")
            case .failure(let error): #expect(error.code == .truncated, "\(cut) of \(bytes.count): \(error)")
            }
        }
    }

    @Test("F3: flipped bits give a picture or a typed error, twice the same", arguments: opaque + transparent)
    func flips(name: String) throws {
        let bytes = try Fixture.bytes("webp/\(name).webp")
        for position in stride(from: 0, to: bytes.count, by: bytes.count > 2_000 ? 97 : 7) {
            var damaged = bytes
            damaged[position] ^= 1 << UInt8(position % 8)
            #expect(decoder.outcome(damaged) == decoder.outcome(damaged), "at \(position)")
        }
    }

    @Test("a request to stop is heard within the picture, and at every asking")
    func cancellation() throws {
        let side = 1_024
        var noise: UInt32 = 1
        let pixels = (0..<side * side * 4).map { _ -> UInt8 in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: noise >> 24)
        }
        let size = PixelSize(width: side, height: side)
        let bitmap = try Bitmap(size, .rgbx8, pixels)
        let bytes = try WebPEncoder().encode(bitmap, as: .webp, options: EncodeOptions())
        func outcome(asks: Int) -> (asked: Int, code: CodingError.Code?) {
            let asked = Mutex(0)
            let options = DecodeOptions(shouldContinue: {
                asked.withLock { asked in
                    asked += 1
                    return asked < asks
                }
            })
            var code: CodingError.Code?
            do {
                try bytes.withUnsafeBytes { try decoder.decode($0, options: options, into: BitmapSink()) }
            } catch {
                code = (error as? CodingError)?.code
            }
            return (asked.withLock { $0 }, code)
        }
        let whole = outcome(asks: .max)
        #expect(whole.code == nil)
        #expect(whole.asked >= 8, "a mebipixel has at least eight places to stop")
        for asks in 1...whole.asked {
            let stopped = outcome(asks: asks)
            #expect(stopped.asked == asks)
            #expect(stopped.code == .cancelled)
        }
    }

    @Test("F14: a huge canvas is refused before any memory is asked for")
    func limits() throws {
        var bytes = try Fixture.bytes("webp/offset.webp")
        // The canvas as its size less one, three bytes a side.
        bytes.replaceSubrange(24..<30, with: [0xFE, 0x3F, 0, 0xFE, 0x3F, 0])
        #expect(try decoder.info(bytes).storedSize == PixelSize(width: 16_383, height: 16_383))
        let error = #expect(throws: CodingError.self) {
            try bytes.withUnsafeBytes { try decoder.decode($0, options: DecodeOptions(), into: ForbiddenSink()) }
        }
        #expect(error?.code == .tooManyPixels)
    }

    @Test("no bytes, and bytes of another format, are typed errors")
    func wrongBytes() throws {
        #expect(decoder.outcome([]).failureCode != nil)
        #expect(decoder.outcome(try Fixture.bytes("gif/plain.gif")).failureCode == .malformed)
    }

    /// Where the chunk of pixels ends; metadata follows it.
    private func pictureEnd(_ bytes: [UInt8]) throws -> Int {
        var position = 12
        while position + 8 <= bytes.count {
            let length = bytes[position + 4..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            if bytes[position..<position + 3].elementsEqual("VP8".utf8), bytes[position + 3] != UInt8(ascii: "X") {
                return position + 8 + length
            }
            position += 8 + length + length % 2
        }
        return try #require(nil)
    }
}

extension WebPDecoder {
    fileprivate func info(_ bytes: ArraySlice<UInt8>) throws -> ImageInfo { try info(Array(bytes)) }
}
#endif
