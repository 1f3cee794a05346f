#if PNG && AVIF && HEIF && JPEGXL && TIFF && RAW
import ByteBuffers
import ImageCoding
import Pixels
import Testing

/// More than eight bits, kept when asked for; the files and what they hold are other programs'.
@Suite("Depth")
struct DepthTests {
    struct Deep: CustomTestStringConvertible {
        let file: String
        let expected: String
        /// Of 65,535: one rounding apart, or one step of the bits that the file has.
        let tolerance: Int
        var format = PixelFormat.rgba16
        var bits = 16

        var testDescription: String { file }
    }

    static let deep = [
        Deep(file: "straight.png", expected: "straight", tolerance: 0),
        Deep(file: "straight.tiff", expected: "straight", tolerance: 0),
        // Multiplied, stored, divided and multiplied again.
        Deep(file: "associated.tiff", expected: "straight", tolerance: 1),
        Deep(file: "straight.jxl", expected: "straight", tolerance: 1),
        Deep(file: "bits10.avif", expected: "avif10", tolerance: 1, bits: 10),
        Deep(file: "bits12.avif", expected: "avif12", tolerance: 1, bits: 12),
        // heif-convert shifts where the lowest bits should repeat the highest.
        Deep(file: "bits10.heic", expected: "heic10", tolerance: 64, format: .rgbx16, bits: 10),
        Deep(file: "bits12.heic", expected: "heic12", tolerance: 16, format: .rgbx16, bits: 12),
    ]

    private static func decode(_ file: String, _ depth: DecodedDepth) throws -> DecodedRows {
        try CoderRegistry.standard.decode(Bytes(Fixture.bytes("depth/\(file)")), color: .keep, depth: depth).rows
    }

    private static func numbers(_ bytes: [UInt8]) -> [Int] {
        stride(from: 0, to: bytes.count - 1, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }

    @Test("P29 C066 C230: 10, 12 and 16 bits are kept when asked for, alpha multiplied in", arguments: deep)
    func kept(deep: Deep) throws {
        let rows = try Self.decode(deep.file, .asStored)
        #expect(rows.format == deep.format)
        let (found, wanted) = (
            Self.numbers(rows.pixels), Self.numbers(try Fixture.bytes("depth/\(deep.expected).rgba16"))
        )
        try #require(found.count == wanted.count)
        let largest = zip(found, wanted).map { abs($0 - $1) }.max() ?? 0
        #expect(largest <= deep.tolerance, "\(largest)")
        // More than eight bits' worth of values.
        #expect(Set(found.map { $0 & 0xFF }).count > 16)
        let info = try Bytes(Fixture.bytes("depth/\(deep.file)")).withUnsafeBytes {
            try CoderRegistry.standard.info(of: $0)
        }
        #expect(info.bitsPerComponent == deep.bits)
    }

    @Test("eight bits are the rounded sixteen", arguments: deep)
    func rounded(deep: Deep) throws {
        let rows = try Self.decode(deep.file, .eightBits)
        let wanted = Self.numbers(try Fixture.bytes("depth/\(deep.expected).rgba16")).map {
            ($0 * 255 + 32_767) / 65_535
        }
        let largest = zip(rows.pixels, wanted).map { abs(Int($0) - $1) }.max() ?? 256
        // Alpha is multiplied in after the rounding.
        #expect(largest <= 1, "\(largest)")
    }

    @Test("floats are kept when asked for")
    func floats() throws {
        let rows = try Self.decode("float.tiff", .asStored)
        #expect(rows.format == .rgbxFloat)
        let found = rows.pixels.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
        let wanted = Self.numbers(try Fixture.bytes("depth/opaque.rgba16"))
        try #require(found.count == wanted.count)
        #expect(zip(found, wanted).allSatisfy { abs($0 * 65_535 - Float($1)) < 0.1 })
    }

    @Test("a sensor's picture is developed in 16 bits when asked for")
    func sensor() throws {
        let bytes = try Bytes(Fixture.bytes("raw/upright.dng"))
        let (fine, coarse) = try (
            CoderRegistry.standard.decode(bytes, depth: .asStored).rows, CoderRegistry.standard.decode(bytes).rows
        )
        #expect(fine.format == .rgbx16)
        let highest = Self.numbers(fine.pixels).map { $0 >> 8 }
        #expect(zip(highest, coarse.pixels).allSatisfy { abs($0 - Int($1)) <= 1 })
    }

    @Test("depths that no decoder reads are typed errors", arguments: ["half.tiff", "whole32.tiff"])
    func unsupported(file: String) throws {
        let error = #expect(throws: CodingError.self) { try Self.decode(file, .asStored) }
        #expect(error?.code == .unsupportedFeature, "\(error?.message ?? "")")
    }
}
#endif
