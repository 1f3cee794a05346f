#if HEIF
import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("HEIF image sequences")
struct HEIFSequenceTests {
    private let decoder = HEIFDecoder()

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let size = UInt32(content.count + 8)
        return withUnsafeBytes(of: size.bigEndian, Array.init) + Array(type.utf8) + content
    }

    private static func brands(_ major: String, _ compatible: String...) -> [UInt8] {
        box("ftyp", Array(major.utf8) + [0, 0, 0, 0] + compatible.flatMap { Array($0.utf8) })
    }

    private static let track = box("moov", box("mvhd", Array(repeating: 0, count: 100)) + box("trak", []))

    @Test("C220: a sequence without a still picture is said not to be supported", arguments: ["hevc", "msf1"])
    func alone(brand: String) throws {
        let file = Self.brands(brand, "msf1", "hevc") + Self.track + Self.box("mdat", Array(repeating: 7, count: 64))
        #expect([ImageFormat.heic, .heif].contains(file.withUnsafeBytes { ImageFormat(sniffing: $0) }))
        let calls: [() throws -> Void] = [
            { _ = try decoder.info(file) }, { _ = try decoder.decode(file) },
            { _ = try CoderRegistry.standard.animation(of: Bytes(file)) },
        ]
        for call in calls {
            let error = #expect(throws: CodingError.self) { try call() }
            #expect(error?.code == .unsupportedFeature)
            #expect(error?.message.contains("libheif \(decoder.library.version) reads still pictures only") == true)
        }
    }

    @Test("C220: a still picture beside a sequence is read", arguments: ["hevc", "heic", "msf1"])
    func both(major: String) throws {
        let still = try Fixture.bytes("heif/opaque.heic")
        // As long as those that were there, so that nothing behind them moves.
        let brands = Self.brands(major, "msf1", "heic", "mif1")
        try #require(brands.count == Int(still[3]))
        let file = brands + still[brands.count...] + Self.track
        #expect(try decoder.decode(file).pixels == Fixture.bytes("heif/opaque.rgba"))
        let animation = try CoderRegistry.standard.animation(of: Bytes(file))
        #expect(animation.frameCount == 1 && !animation.isMoving)
    }
}
#endif
