import Testing
import WebImage

/// Previews of each format that can be shown in parts.
@Suite struct FormatPreviewTests {
    struct Sample: CustomTestStringConvertible {
        let format: ImageFormat
        var options = EncodeOptions()
        /// All of the picture is shown, roughly at first; else its rows from top to bottom.
        var isCoarse = false

        var testDescription: String { "\(format) \(isCoarse ? "in passes" : "in rows")" }
    }

    private static let samples = [
        Sample(format: .jpeg), Sample(format: .jpeg, options: EncodeOptions(isProgressive: true), isCoarse: true),
        Sample(format: .png), Sample(format: .png, options: EncodeOptions(isProgressive: true), isCoarse: true),
        Sample(format: .gif), Sample(format: .webp), Sample(format: .webp, options: EncodeOptions(isLossless: true)),
        Sample(format: .jpegXL, isCoarse: true),
        Sample(format: .jpegXL, options: EncodeOptions(quality: 100)),
    ]

    private static let size = PixelSize(width: 300, height: 700)

    private static func encode(_ sample: Sample) throws -> [UInt8] {
        var bitmap = try Bitmap(uninitialized: size, format: .rgbx8)
        let stride = bitmap.bytesPerRow
        try bitmap.withUnsafeMutableBytes { pixels in
            var state: UInt32 = 1
            for y in 0..<size.height {
                for x in 0..<size.width * 4 {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    pixels[y * stride + x] = x % 4 == 3 ? 255 : UInt8((x / 8 + y / 8) & 127) + UInt8(state >> 28)
                }
            }
        }
        return try CoderRegistry.standard.encode(bitmap, as: sample.format, options: sample.options).array
    }

    @Test(
        "C021 C029 C171 C191 S087 S088: pictures are shown while they come, and then the picture itself",
        arguments: samples)
    func shown(sample: Sample) async throws {
        let bytes = try Self.encode(sample)
        let (previews, response) = try await PreviewTests.watch(
            bytes, cuts: [10, bytes.count * 3 / 4], PreviewTests.request(.shown(every: .zero)))
        let whole = response.bitmap
        #expect(try CoderRegistry.standard.decode(Bytes(bytes)).pixels == whole.pixels)
        #expect(previews.count >= 1)
        for preview in previews {
            #expect(preview.size == Self.size && preview.info.format == sample.format)
            #expect(preview.region == PixelRect(preview.bitmap.size))
            if sample.isCoarse {
                #expect(preview.bitmap.size == whole.size)
            } else {
                #expect(preview.bitmap.width == whole.width && preview.pass == 1)
                #expect(preview.bitmap.pixels.elementsEqual(whole.pixels.prefix(preview.bitmap.pixels.count)))
            }
        }
    }

    @Test("S088: a preview has the size that is wanted", arguments: samples)
    func wantedSize(sample: Sample) async throws {
        let bytes = try Self.encode(sample)
        let (previews, response) = try await PreviewTests.watch(
            bytes, cuts: [10, bytes.count * 3 / 4], PreviewTests.request(.shown(every: .zero), width: 30))
        #expect(response.bitmap.size == PixelSize(width: 30, height: 70))
        #expect(previews.count >= 1)
        for preview in previews {
            #expect(preview.size == response.bitmap.size && preview.bitmap.width == 30)
            #expect(sample.isCoarse ? preview.bitmap.height == 70 : preview.bitmap.height <= 70)
        }
    }
}
