#if JPEGXL
import ByteBuffers
import Pixels
import Testing

@testable import ImageCoding

/// JPEG XLs that are looked at while they come.
@Suite struct JXLPartialTests {
    private static let size = PixelSize(width: 700, height: 600)

    private static func picture(isLossless: Bool) throws -> [UInt8] {
        let options = EncodeOptions(quality: isLossless ? 100 : 80)
        return try CoderRegistry.standard.encode(Bitmap.detailed(size), as: .jpegXL, options: options).array
    }

    @Test("S102: with loss the whole picture is shown roughly, better, and as it is", arguments: [500, 0])
    func passes(step: Int) throws {
        let bytes = try Self.picture(isLossless: false)
        let whole = try JXLDecoder().decode(bytes)
        let viewing = Viewing(bytes, step: step == 0 ? bytes.count / 10 + 1 : step)
        #expect(viewing.failure == nil)
        #expect(viewing.looks.map(\.progress.pass) == Array(1...max(1, viewing.looks.count)))
        // No more than two that are not final, each of which costs a good part of a decode.
        #expect(viewing.looks.count >= 2 && viewing.looks.count <= 3)
        #expect(viewing.sinks == viewing.looks.count && viewing.rowsMade == viewing.sinks * whole.size.height)
        let errors = viewing.looks.map { error(of: $0.rows, against: whole) }
        for (before, after) in zip(errors, errors.dropFirst()) { #expect(after < before) }
        #expect(viewing.looks.allSatisfy { $0.rows.size == whole.size })
        #expect(try #require(viewing.looks.first).count < bytes.count / 2)
        if step == 0 { #expect(viewing.looks.last?.rows == whole) }
    }

    @Test("S102: without loss rows come from top to bottom and are those of the whole decode", arguments: [500, 0])
    func rows(step: Int) throws {
        let bytes = try Self.picture(isLossless: true)
        let whole = try JXLDecoder().decode(bytes)
        let viewing = Viewing(bytes, step: step == 0 ? bytes.count / 10 + 1 : step)
        #expect(viewing.failure == nil)
        #expect(viewing.sinks == 1 && viewing.rowsMade <= whole.size.height && viewing.looks.count >= 2)
        for look in viewing.looks {
            #expect(look.progress.pass == 1 && look.progress.rowCount == whole.size.height)
            #expect(look.rows.pixels.elementsEqual(whole.pixels.prefix(look.rows.pixels.count)))
        }
        let heights = viewing.looks.map(\.progress.rows)
        #expect(heights == Array(Set(heights)).sorted())
        if step == 0 { #expect(viewing.looks.last?.rows == whole) }
    }

    @Test(
        "C191: the last look is the whole picture, whatever its kind",
        arguments: [
            "container", "gray", "jpeg", "lossless", "lossy-alpha", "lossy", "moving", "progressive", "sixteen",
            "../orientation/6",
        ])
    func kinds(name: String) throws {
        let bytes = try Fixture.bytes("jxl/\(name).jxl")
        let whole = try JXLDecoder().decode(bytes)
        for step in [bytes.count, bytes.count / 2 + 1, bytes.count / 6 + 1] {
            let viewing = Viewing(bytes, step: step)
            #expect(viewing.failure == nil)
            #expect(viewing.looks.last?.rows == whole)
            #expect(viewing.looks.last?.progress.info.storedSize == whole.size)
        }
    }

    @Test("W024: libjxl gets bytes few times, however small the portions are")
    func looks() throws {
        var fresh = FreshBytes()
        let count = (0..<1_000_000).count { fresh.areEnough(at: $0) }
        #expect(count < 32 * 14)
    }

    @Test("16 bits are kept as in the whole picture", arguments: [DecodedDepth.eightBits, .asStored])
    func depth(depth: DecodedDepth) throws {
        let bytes = try Fixture.bytes("jxl/sixteen.jxl")
        let sink = BitmapSink()
        try withExactCopy(of: bytes) {
            try JXLDecoder().decode($0, options: DecodeOptions(depth: depth), into: sink)
        }
        #expect(Viewing(bytes, step: bytes.count, depth: depth).looks.last?.rows == sink.takeBitmap()?.rows)
    }
}
#endif
