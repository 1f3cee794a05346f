#if PNG
import Pixels
import Testing

@testable import ImageCoding

/// PNGs that are looked at while they come.
@Suite struct PNGPartialTests {
    private static let interlaced = ["rgb8-interlaced", "rgba8-interlaced"] + (1...9).map { "interlaced-\($0)" }
    private static let plain = (PNGDecoderTests.opaque + PNGDecoderTests.transparent)
        .filter { !$0.contains("interlaced") }

    /// The blocks that show a picture after each pass (PNG 3rd ed. §8.1).
    private static let blocks = [(8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2), (1, 1)]

    @Test("S102: an interlaced picture is shown whole, in smaller and smaller blocks", arguments: interlaced, [1, 97])
    func passes(name: String, step: Int) throws {
        let bytes = try Fixture.bytes("png/\(name).png")
        let whole = try PNGDecoder().decode(bytes)
        let viewing = Viewing(bytes, step: step)
        #expect(viewing.failure == nil)
        #expect(viewing.looks.map(\.progress.pass) == Array(1...max(1, viewing.looks.count)))
        #expect(viewing.sinks <= 7 && viewing.rowsMade == viewing.sinks * whole.size.height)
        var rest = Self.blocks[...]
        for look in viewing.looks {
            #expect(look.rows.size == whole.size)
            let match = rest.firstIndex { Self.coarse(whole, $0).elementsEqual(look.rows.pixels) }
            rest = rest[(try #require(match) + 1)...]
        }
        #expect(viewing.looks.last?.rows == whole)
        if name.hasPrefix("rgb"), step == 1 { #expect(viewing.looks.count == 7) }
    }

    private static func coarse(_ whole: DecodedRows, _ block: (width: Int, height: Int)) -> [UInt8] {
        (0..<whole.size.height).flatMap { y in
            (0..<whole.size.width).flatMap { x in
                let pixel = (y / block.height * block.height * whole.size.width + x / block.width * block.width) * 4
                return whole.pixels[pixel..<pixel + 4]
            }
        }
    }

    @Test(
        "colours are brought into sRGB, and 16 bits kept, as in the whole picture",
        arguments: [
            "color/p3", "color/p3-alpha", "color/p3-16", "color/gray-16", "color/pq-2020", "color/gamma-primaries",
            "png/rgba16", "png/rgb8-interlaced",
        ], [ColorHandling.sRGB, .keep])
    func colors(path: String, color: ColorHandling) throws {
        for depth in [DecodedDepth.eightBits, .asStored] { try compare(path, color, depth) }
    }

    private func compare(_ path: String, _ color: ColorHandling, _ depth: DecodedDepth) throws {
        let bytes = try Fixture.bytes("\(path).png")
        let sink = BitmapSink()
        try withExactCopy(of: bytes) {
            try PNGDecoder().decode($0, options: DecodeOptions(color: color, depth: depth), into: sink)
        }
        let last = Viewing(bytes, step: 200, color: color, depth: depth).looks.last?.rows
        #expect(last == sink.takeBitmap()?.rows)
    }

    @Test("of an animation the default picture is shown", arguments: ["animated", "default"])
    func animated(name: String) throws {
        let bytes = try Fixture.bytes(name == "default" ? "animation/default.png" : "png/animated.png")
        let viewing = Viewing(bytes, step: 50)
        #expect(viewing.failure == nil)
        #expect(viewing.looks.last?.rows == (try PNGDecoder().decode(bytes)))
        #expect(viewing.looks.first?.progress.info.format == .apng)
    }

    @Test("W024: each byte that pixels need is handed on once, and no other", arguments: [1, 13, 100_000])
    func pieces(step: Int) throws {
        for name in ["split", "text-bomb", "palette-alpha-gamma", "animated"] {
            let bytes = try Fixture.bytes("png/\(name).png")
            var chunks = PNGPartialChunks()
            var taken: [Int] = []
            for count in Array(stride(from: step, to: bytes.count, by: step)) + [bytes.count] {
                withExactCopy(of: Array(bytes[..<count])) { part in
                    while let piece = chunks.next(in: BoundedBytes(part)) {
                        switch piece {
                        case .head(let range), .name(let range), .pixels(let range), .checksum(let range):
                            taken += range
                        }
                    }
                }
            }
            var needed = Array(0..<8)
            withExactCopy(of: bytes) { bytes in
                for chunk in PNGChunks(BoundedBytes(bytes)).map(Array.init) ?? [] {
                    guard [.header, .palette, .transparency, .pixels].contains(chunk.type) else { continue }
                    needed += Array(chunk.place ?? 0..<0)
                }
            }
            #expect(taken == needed)
        }
    }
}
#endif
