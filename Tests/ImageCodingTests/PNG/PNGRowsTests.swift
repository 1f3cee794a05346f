#if PNG
import ByteBuffers
import ImageCoding
import Pixels
import Testing

/// The fast reader against libpng: the same rows, or the same error.
@Suite("PNG: the fast rows are libpng's rows")
struct PNGRowsTests {
    private let fast = PNGDecoder()
    private let reference = PNGDecoder(isFast: false)

    @Test("every filter, any split into chunks, any strips", arguments: [2, 6], 0..<40)
    func filters(color: Int, seed: Int) throws {
        var random = Seeded(seed)
        let channels = color == 2 ? 3 : 4
        let size = PixelSize(width: Int.random(in: 1...70, using: &random), height: .random(in: 1...60, using: &random))
        var rows: [UInt8] = []
        for _ in 0..<size.height {
            rows.append(seed < 5 ? UInt8(seed) : .random(in: 0...4, using: &random))
            for _ in 0..<size.width * channels { rows.append(.random(in: 0...255, using: &random)) }
        }
        let part = Int.random(in: 2...rows.count + 8, using: &random)
        let bytes = PNGFile.file(size, color: color, stream: PNGFile.stored(rows), part: part)
        for stripRows in [1, 7, 100] {
            let expected = try reference.decode(bytes, stripRows: stripRows)
            #expect(try fast.decode(bytes, stripRows: stripRows) == expected)
        }
    }

    @Test(
        "F2 F3: what is wrong with a packed stream is said as libpng says it", arguments: [false, true], [50, 4_000])
    func damage(hasAlpha: Bool, part: Int) throws {
        let size = PixelSize(width: 50, height: 40)
        var random = Seeded(part)
        let pixels = (0..<size.height * size.width).flatMap { index -> [UInt8] in
            let shade = UInt8(truncatingIfNeeded: index / 3 + Int.random(in: 0...3, using: &random))
            return [shade, shade / 2, 90, 255]
        }
        let bitmap = try Bitmap(size, hasAlpha ? .rgba8 : .rgbx8, pixels)
        let encoded = try PNGEncoder().encode(bitmap, as: .png, options: EncodeOptions()).array
        let stream = PNGFile.stream(of: encoded)
        for position in stream.indices {
            var damaged = stream
            damaged[position] ^= 1 << UInt8.random(in: 0...7, using: &random)
            expectSame(PNGFile.file(size, color: hasAlpha ? 6 : 2, stream: damaged, part: part), "flip \(position)")
            let cut = Array(stream[..<position])
            expectSame(PNGFile.file(size, color: hasAlpha ? 6 : 2, stream: cut, part: part), "cut \(position)")
        }
        expectSame(PNGFile.file(size, color: hasAlpha ? 6 : 2, stream: stream + [1, 2, 3], part: part), "surplus")
    }

    @Test("F2 F3: damaged files end the same", arguments: ["rgb8", "rgba8", "split", "optimised", "rgb8-key"])
    func files(name: String) throws {
        let bytes = try Fixture.bytes("png/\(name).png")
        expectSame(bytes, "whole")
        for position in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 300)) {
            var damaged = bytes
            damaged[position] ^= 1 << UInt8(position % 8)
            expectSame(damaged, "flip \(position)")
            expectSame(Array(bytes[..<position]), "cut \(position)")
        }
    }

    private func expectSame(_ bytes: [UInt8], _ what: String) {
        let outcome = fast.outcome(bytes)
        #expect(outcome == reference.outcome(bytes), "\(what)")
    }
}

/// PNG files made by hand.
enum PNGFile {
    static func file(_ size: PixelSize, color: Int, stream: [UInt8], part: Int) -> [UInt8] {
        let header = big(size.width) + big(size.height) + [8, UInt8(color), 0, 0, 0]
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
        for start in stride(from: 0, to: stream.count, by: part) {
            bytes += chunk("IDAT", stream[start..<min(start + part, stream.count)])
        }
        return bytes + chunk("IEND", [])
    }

    /// A zlib stream (RFC 1950) whose blocks are not packed.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 5_000) {
            let block = bytes[start..<min(start + 5_000, bytes.count)]
            let (high, low) = (UInt8(block.count >> 8), UInt8(block.count & 255))
            stream += [block.endIndex == bytes.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        let (a, b) = bytes.reduce((1, 0)) { sums, byte in
            let a = (sums.0 + Int(byte)) % 65_521
            return (a, (sums.1 + a) % 65_521)
        }
        return stream + big(b << 16 | a)
    }

    /// The contents of all IDAT chunks.
    static func stream(of file: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = []
        var position = 8
        while position + 12 <= file.count {
            let length = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            if file[position + 4..<position + 8].elementsEqual("IDAT".utf8) {
                stream += file[position + 8..<position + 8 + length]
            }
            position += length + 12
        }
        return stream
    }

    private static func chunk(_ name: String, _ content: some Collection<UInt8>) -> [UInt8] {
        let body = Array(name.utf8) + content
        var sum = ~UInt32(0)
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 != 0
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return big(content.count) + body + big(Int(~sum))
    }

    private static func big(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
    }
}

/// The same numbers for the same seed (SplitMix64).
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) {
        state = UInt64(truncatingIfNeeded: seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
#endif
