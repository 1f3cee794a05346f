#if JPEG
import ByteBuffers
import Pixels
import Testing

@testable import ImageCoding

struct JPEGEncoderTests {
    private static func bitmap(
        _ size: PixelSize, _ format: PixelFormat, _ pixel: (Int) -> (UInt8, UInt8, UInt8, UInt8)
    ) throws -> Bitmap {
        var bitmap = try Bitmap(uninitialized: size, format: format)
        let bytesPerRow = bitmap.bytesPerRow
        try bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (red, green, blue, alpha) = pixel(y * size.width + x)
                    let start = y * bytesPerRow + 4 * x
                    (bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]) = (red, green, blue, alpha)
                }
            }
        }
        return bitmap
    }

    private static func source(_ format: PixelFormat) throws -> Bitmap {
        let source = try ExpectedPixels(ppm: Fixture.bytes("jpeg/source.ppm"))
        return try bitmap(source.size, format) {
            (source.colours[3 * $0], source.colours[3 * $0 + 1], source.colours[3 * $0 + 2], 255)
        }
    }

    @Test(
        "the bytes are cjpeg's", arguments: [PixelFormat.rgbx8, .rgba8],
        [(80, false, "encoded-80"), (92, false, "encoded-92"), (80, true, "encoded-80-progressive")])
    func goldenBytes(format: PixelFormat, _ expectation: (quality: Int, isProgressive: Bool, file: String)) throws {
        let options = EncodeOptions(quality: expectation.quality, isProgressive: expectation.isProgressive)
        let bytes = try JPEGEncoder().encode(Self.source(format), as: .jpeg, options: options)
        #expect(try bytes.array == Fixture.bytes("jpeg/\(expectation.file).jpg"))
    }

    @Test("transparent pixels are laid over white; the byte beside opaque ones is not looked at")
    func transparency() throws {
        let size = PixelSize(width: 16, height: 16)
        func colour(_ format: PixelFormat, _ pixel: (UInt8, UInt8, UInt8, UInt8)) throws -> [UInt8] {
            let bitmap = try Self.bitmap(size, format) { _ in pixel }
            let bytes = try JPEGEncoder().encode(bitmap, as: .jpeg, options: EncodeOptions(quality: 100))
            return try Array(DecodedPixels(jpeg: bytes.array).bytes.prefix(3))
        }
        func isNear(_ left: [UInt8], _ right: [Int]) -> Bool { zip(left, right).allSatisfy { abs(Int($0) - $1) <= 2 } }
        #expect(try isNear(colour(.rgba8, (0, 0, 0, 0)), [255, 255, 255]))
        #expect(try isNear(colour(.rgba8, (100, 50, 0, 128)), [227, 177, 127]))
        #expect(try isNear(colour(.rgba8, (100, 50, 0, 255)), [100, 50, 0]))
        #expect(try isNear(colour(.rgbx8, (100, 50, 0, 0)), [100, 50, 0]))
        // More colour than alpha allows must not wrap.
        #expect(try isNear(colour(.rgba8, (255, 255, 255, 10)), [255, 255, 255]))
    }

    @Test("output larger than the first buffer is whole")
    func largeOutput() throws {
        var state: UInt32 = 1
        func noise() -> UInt8 {
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        let bitmap = try Self.bitmap(PixelSize(width: 700, height: 500), .rgbx8) { _ in
            (noise(), noise(), noise(), 255)
        }
        let bytes = try JPEGEncoder().encode(bitmap, as: .jpeg, options: EncodeOptions(quality: 100))
        #expect(bytes.count > 300_000)
        #expect(try DecodedPixels(jpeg: bytes.array).size == bitmap.size)
    }

    @Test("what cannot be encoded is refused with its reason")
    func refusals() throws {
        let small = try Self.source(.rgbx8)
        let encoder = JPEGEncoder()
        #expect(try failure { _ = try encoder.encode(small, as: .png, options: EncodeOptions()) } == .unsupportedFormat)
        let straight = PixelFormat(channels: .rgba, component: .uint8, alpha: .straight)
        let odd = try Bitmap(uninitialized: PixelSize(width: 4, height: 4), format: straight)
        #expect(try failure { _ = try encoder.encode(odd, as: .jpeg, options: EncodeOptions()) } == .unsupportedFeature)
        let wide = try Self.bitmap(PixelSize(width: 65_501, height: 1), .rgbx8) { _ in (0, 0, 0, 255) }
        #expect(try failure { _ = try encoder.encode(wide, as: .jpeg, options: EncodeOptions()) } == .encodingFailed)
    }
}
#endif
