#if JPEG
import Pixels
import Testing

@testable import ImageCoding

struct JPEGPixelTests {
    /// A line of `pixels.txt`.
    struct Expected: CustomStringConvertible {
        let file: String
        let scale: DCTScale
        let size: PixelSize
        let hash: UInt64

        var description: String { "\(file) at \(scale.rawValue)/8" }

        static func all() throws -> [Expected] {
            String(decoding: try Fixture.bytes("jpeg/pixels.txt"), as: UTF8.self).split(separator: "\n").compactMap {
                let fields = $0.split(separator: " ")
                guard fields.count == 5, let scale = Int(fields[1]).flatMap(DCTScale.init(rawValue:)),
                    let width = Int(fields[2]), let height = Int(fields[3]), let hash = UInt64(fields[4], radix: 16)
                else { return nil }
                let size = PixelSize(width: width, height: height)
                return Expected(file: String(fields[0]), scale: scale, size: size, hash: hash)
            }
        }
    }

    @Test("W002: pixels are djpeg's, byte by byte, at every scale of the decoder's own")
    func goldenPixels() throws {
        let all = try Expected.all()
        #expect(all.count == 40)
        for expected in all {
            let bytes = try Fixture.bytes("jpeg/\(expected.file)")
            let isProgressive = try bytes.withUnsafeBytes { try JPEGDecoder().info(of: $0).isProgressive }
            // There some scans are left out on purpose: ProgressiveScanPlanTests look at what that costs.
            if isProgressive, expected.scale == .eighth || expected.scale == .quarter { continue }
            let pixels = try DecodedPixels(jpeg: bytes, options: DecodeOptions(minimumSize: expected.size))
            #expect(pixels.size == expected.size, "\(expected)")
            #expect(pixels.hash == expected.hash, "\(expected)")
            #expect(pixels.format == .rgbx8)
        }
    }

    @Test("F9: inks become the colours that Pillow makes of them", arguments: ["cmyk", "ycck", "cmyk-plain"])
    func inks(name: String) throws {
        let pixels = try DecodedPixels(jpeg: Fixture.bytes("jpeg/\(name).jpg"))
        let expected = try ExpectedPixels(ppm: Fixture.bytes("jpeg/\(name).ppm"))
        #expect(pixels.size == expected.size)
        let furthest = zip(pixels.colours, expected.colours).map { abs(Int($0) - Int($1)) }.max()
        #expect(furthest.map { $0 <= 1 } == true, "furthest \(String(describing: furthest))")
    }

    @Test("the fourth byte is 255", arguments: ["baseline", "gray", "rgb", "cmyk", "progressive"])
    func opaqueByte(name: String) throws {
        let bytes = try DecodedPixels(jpeg: Fixture.bytes("jpeg/\(name).jpg")).bytes
        #expect(bytes.indices.allSatisfy { $0 % 4 != 3 || bytes[$0] == 255 })
    }

    @Test("F9: a single pixel and a column of 65,500")
    func extremes() throws {
        let one = try DecodedPixels(jpeg: Fixture.bytes("jpeg/one-pixel.jpg"))
        #expect(one.size == PixelSize(width: 1, height: 1))
        #expect(zip(one.colours, [10, 200, 30]).allSatisfy { abs(Int($0) - $1) <= 3 })
        let tall = try Fixture.bytes("jpeg/tall.jpg")
        #expect(try DecodedPixels(jpeg: tall).size == PixelSize(width: 1, height: 65_500))
        let small = DecodeOptions(minimumSize: PixelSize(width: 1, height: 8_000))
        #expect(try DecodedPixels(jpeg: tall, options: small).size == PixelSize(width: 1, height: 8_188))
    }

    @Test("the smallest scale that is not below the wanted size on either axis")
    func scaleChoice() {
        let size = PixelSize(width: 4_000, height: 3_001)
        func scale(_ width: Int, _ height: Int) -> DCTScale {
            DCTScale(covering: PixelSize(width: width, height: height), of: size)
        }
        #expect(DCTScale(covering: nil, of: size) == .full)
        #expect(scale(1, 1) == .eighth)
        #expect(scale(500, 376) == .eighth)
        #expect(scale(501, 376) == .quarter)
        #expect(scale(500, 377) == .quarter)
        #expect(scale(1_001, 1) == .half)
        #expect(scale(1, 1_502) == .full)
        #expect(scale(9_000, 1) == .full)
        #expect(DCTScale.eighth.applied(to: size) == PixelSize(width: 500, height: 376))
    }

    @Test("a sink that lends one strip again gets the same rows as a bitmap", arguments: [1, 3, 17, 500])
    func strips(rowCount: Int) throws {
        let bytes = try Fixture.bytes("jpeg/cmyk.jpg")
        let sink = StripSink(stripRows: rowCount)
        try bytes.withUnsafeBytes { try JPEGDecoder().decode($0, options: DecodeOptions(), into: sink) }
        #expect(try sink.rows?.pixels == DecodedPixels(jpeg: bytes).bytes)
    }
}
#endif
