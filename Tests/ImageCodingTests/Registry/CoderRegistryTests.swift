#if PNG && WebP
import ByteBuffers
import ImageCoding
import Pixels
import Synchronization
import Testing

@Suite("Coder registry")
struct CoderRegistryTests {
    @Test("S005 C190 C195: the standard coders decode and encode these formats")
    func standardFormats() {
        #expect(Set(CoderRegistry.standard.decodableFormats).isSuperset(of: [.png, .apng, .webp, .animatedWebP, .gif]))
        #expect(Set(CoderRegistry.standard.encodableFormats).isSuperset(of: [.png, .webp]))
        #expect(CoderRegistry.standard.decoders.allSatisfy { !$0.library.version.isEmpty })
    }

    @Test("P24: a decode by the registry is upright, and a minimum size is meant as the picture is seen")
    func upright() throws {
        let stored = try PNGDecoder().decode(Fixture.bytes("png/exif-6.png"))
        let bitmap = try CoderRegistry.standard.decode(Bytes(Fixture.bytes("png/exif-6.png")))
        #expect(bitmap.size == stored.size.transposed)
        // Turned clockwise, the stored picture's bottom left corner comes first.
        let corner = (stored.size.height - 1) * stored.size.width * 4
        #expect(bitmap.rows.pixels[..<4] == stored.pixels[corner..<corner + 4])

        let tall = PixelSize(width: 7, height: 11)
        let scaled = try CoderRegistry.standard.decode(Bytes(Fixture.bytes("webp/exif-6.webp")), minimumSize: tall)
        #expect(scaled.size == tall)
    }

    @Test("F1: no bytes are an error of their own")
    func empty() {
        #expect(failure(of: .standard, []).code == .empty)
    }

    @Test(
        "P31: bytes that are no picture say what they look like",
        arguments: [
            ("<!DOCTYPE html><html><title>Log in</title>", "an HTML page"), ("  <HTML>", "an HTML page"),
            ("{\"error\": 404}", "JSON"), ("<?xml version='1.0'?><error/>", "XML"), ("Not found", "text"),
            ("PK\u{3}\u{4}", "a ZIP archive"), ("\0\0\0\0", "zeros"),
            ("\0\0\0\u{18}ftypmp42\0\0\0\0", "ISO media"), ("\u{1}\u{2}", "start with 01 02"),
        ])
    func notAnImage(text: String, hint: String) {

        let bytes = Array(text.utf8)
        let error = failure(of: .standard, bytes)
        #expect(error.code == .notAnImage)
        #expect(error.message.contains(hint), "\(error.message)")
    }

    @Test("a known format without a coder is named")
    func unsupported() {
        let error = failure(of: CoderRegistry(decoders: [ICODecoder()]), Array("%PDF-1.7".utf8))
        #expect(error.code == .unsupportedFormat)
        #expect(error.format == .pdf)
        #expect(error.message.contains("pdf"))
    }

    @Test("W039 C194: when a coder fails the next one gets its turn with a fresh sink")
    func fallback() throws {
        let broken = ScriptedDecoder(.failAfterRows(CodingError(.malformed, "first")))
        let registry = CoderRegistry.standard.adding(broken)
        let bytes = try Fixture.bytes("png/rgba8.png")
        var sinks: [BitmapSink] = []
        let result = try bytes.withUnsafeBytes {
            try registry.decode($0, options: DecodeOptions()) { _ in
                sinks.append(BitmapSink())
                return sinks[sinks.count - 1]
            }
        }
        #expect(broken.calls == 1)
        #expect(sinks.count == 2)
        #expect(result.sink === sinks[1])
        #expect(result.sink.takeBitmap()?.rows == (try PNGDecoder().decode(bytes)))
    }

    @Test("when all coders fail the first one's error is told")
    func firstError() throws {
        let first = ScriptedDecoder(.failAfterRows(CodingError(.malformed, "first")))
        let second = ScriptedDecoder(.failAfterRows(CodingError(.truncated, "second")))
        let registry = CoderRegistry(decoders: [first, second])
        #expect(failure(of: registry, try Fixture.bytes("png/rgba8.png")).message == "first")
        #expect(second.calls == 1)
    }

    @Test(
        "limits, memory and a request to stop end the search",
        arguments: [CodingError.Code.cancelled, .tooComplex, .outOfMemory, .tooManyPixels])
    func finalErrors(code: CodingError.Code) throws {
        let first = ScriptedDecoder(.failAfterRows(CodingError(code, "first")))
        let second = ScriptedDecoder(.failAfterRows(CodingError(.malformed, "second")))
        let registry = CoderRegistry(decoders: [first, second])
        #expect(failure(of: registry, try Fixture.bytes("png/rgba8.png")).code == code)
        #expect(second.calls == 0)
    }

    @Test("an error of the sink is passed on, whatever its type, and no other coder is tried")
    func sinkError() throws {
        let second = ScriptedDecoder(.failAfterRows(CodingError(.malformed, "second")))
        let registry = CoderRegistry(decoders: [PNGDecoder(), second])
        let bytes = try Fixture.bytes("png/rgba8.png")
        let error = #expect(throws: CodingError.self) {
            try bytes.withUnsafeBytes { try registry.decode($0, options: DecodeOptions()) { _ in FullSink() } }
        }
        #expect(error == FullSink.error)
        #expect(second.calls == 0)
    }

    @Test("limits are checked before a decoder is called and before a sink is made")
    func limits() throws {
        let decoder = ScriptedDecoder(.failAfterRows(CodingError(.malformed, "called")))
        let registry = CoderRegistry(decoders: [decoder])
        let bytes = try Fixture.bytes("png/rgba8.png")
        for (limits, code) in [
            (DecodeLimits(maxPixels: 33 * 21 - 1), CodingError.Code.tooManyPixels),
            (DecodeLimits(maxSide: 32), .sideTooLong), (DecodeLimits(maxInputBytes: bytes.count - 1), .tooManyBytes),
        ] {
            let error = #expect(throws: CodingError.self) {
                try bytes.withUnsafeBytes {
                    try registry.decode($0, options: DecodeOptions(limits: limits)) { _ in ForbiddenSink() }
                }
            }
            #expect(error?.code == code)
        }
        #expect(decoder.calls == 0)
        let exact = DecodeLimits(maxPixels: 33 * 21, maxSide: 33, maxInputBytes: bytes.count)
        #expect(try CoderRegistry.standard.decode(Bytes(bytes), limits: exact).size.width == 33)
    }

    @Test("a decoder that delivers too few rows is caught")
    func tooFewRows() throws {
        let registry = CoderRegistry(decoders: [ScriptedDecoder(.stopAfterRows)])
        #expect(failure(of: registry, try Fixture.bytes("png/rgba8.png")).code == .malformed)
    }

    @Test("an encoder is found by its format; without one the format is named")
    func encoding() throws {
        let size = PixelSize(width: 2, height: 1)
        let bitmap = try Bitmap(size, .rgbx8, [10, 20, 30, 255, 40, 50, 60, 255])
        let encoded = try CoderRegistry.standard.encode(bitmap, as: .png)
        #expect(try CoderRegistry.standard.decode(encoded).rows == bitmap.rows)
        let error = #expect(throws: CodingError.self) { try CoderRegistry.standard.encode(bitmap, as: .pdf) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.format == .pdf)
    }

    private func failure(of registry: CoderRegistry, _ bytes: [UInt8]) -> CodingError {
        do throws(CodingError) {
            _ = try registry.decode(Bytes(bytes))
            Issue.record("a picture came")
            return CodingError(.empty, "")
        } catch {
            return error
        }
    }
}

/// A PNG decoder that delivers one row and then does as it was told.
private final class ScriptedDecoder: ImageDecoder {
    enum Script {
        case failAfterRows(CodingError)
        case stopAfterRows
    }

    private let script: Script
    private let count = Mutex(0)

    init(_ script: Script) {
        self.script = script
    }

    /// How often ``decode(_:options:into:)`` was called.
    var calls: Int { count.withLock { $0 } }

    var library: CodecLibrary { CodecLibrary(name: "scripted", version: "1") }

    var decodableFormats: [ImageFormat] { [.png] }

    func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo { try PNGDecoder().info(of: bytes) }

    func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        count.withLock { $0 += 1 }
        try sink.begin(RowHeader(size: info(of: bytes).storedSize, format: .rgba8))
        _ = try sink.nextStrip()
        try sink.commit(rows: 1)
        if case .failAfterRows(let error) = script { throw error }
    }
}

/// Refuses the first strip with an error that a decoder could throw too.
private final class FullSink: RowSink {
    static let error = CodingError(.malformed, "the sink is full")

    func begin(_ header: RowHeader) throws {}

    func nextStrip() throws -> RowStrip { throw Self.error }

    func commit(rows: Int) throws {}
}
#endif
