#if WebP
import ByteBuffers
import Foundation
import ImageCoding
import Pixels
import Testing

@Suite("WebP encoding")
struct WebPEncoderTests {
    @Test("a picture comes back close to what it was", arguments: [(50, 30.0), (80, 33.0), (100, 38.0)])
    func roundTrip(quality: Int, decibels: Double) throws {
        let rows = try WebPDecoder().decode(Fixture.bytes("webp/large.webp"))
        let bitmap = try Bitmap(rows.size, rows.format, rows.pixels)
        let encoded = try WebPEncoder().encode(bitmap, as: .webp, options: EncodeOptions(quality: quality))
        let decoded = try WebPDecoder().decode(encoded.array)
        #expect(decoded.size == rows.size)
        #expect(decoded.format == .rgbx8)
        #expect(signalToNoise(rows.pixels, decoded.pixels) > decibels)
    }

    @Test("alpha is kept exactly")
    func alpha() throws {
        let rows = try PNGDecoder().decode(Fixture.bytes("png/rgba8.png"))
        let bitmap = try Bitmap(rows.size, rows.format, rows.pixels)
        let decoded = try WebPDecoder().decode(WebPEncoder().encode(bitmap, as: .webp, options: .init()).array)
        #expect(decoded.format == .rgba8)
        let alphas = stride(from: 3, to: rows.pixels.count, by: 4)
        #expect(alphas.allSatisfy { decoded.pixels[$0] == rows.pixels[$0] })
        #expect(signalToNoise(rows.pixels, decoded.pixels) > 20)
    }

    @Test("C209: higher quality takes more bytes")
    func quality() throws {
        let rows = try WebPDecoder().decode(Fixture.bytes("webp/large.webp"))
        let bitmap = try Bitmap(rows.size, rows.format, rows.pixels)
        let sizes = try [10, 50, 90].map {
            try WebPEncoder().encode(bitmap, as: .webp, options: EncodeOptions(quality: $0)).count
        }
        #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2])
    }

    @Test("a side that is too long, another pixel format and another file format are typed errors")
    func refused() throws {
        let long = try Bitmap(uninitialized: PixelSize(width: 16_384, height: 1), format: .rgbx8)
        #expect(throws: CodingError.self) { try WebPEncoder().encode(long, as: .webp, options: EncodeOptions()) }
        let straight = PixelFormat(channels: .rgba, component: .uint8, alpha: .straight)
        let bitmap = try Bitmap(PixelSize(width: 1, height: 1), straight, [1, 2, 3, 4])
        let feature = #expect(throws: CodingError.self) {
            try WebPEncoder().encode(bitmap, as: .webp, options: EncodeOptions())
        }
        #expect(feature?.code == .unsupportedFeature)
        let format = #expect(throws: CodingError.self) {
            try WebPEncoder().encode(bitmap, as: .png, options: EncodeOptions())
        }
        #expect(format?.code == .unsupportedFormat)
    }

    /// Peak signal to noise ratio in decibels.
    private func signalToNoise(_ left: [UInt8], _ right: [UInt8]) -> Double {
        let squares = zip(left, right).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
        return squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(left.count) / squares)
    }
}
#endif
