#if GIF
import ByteBuffers
import ImageCoding
import Pixels
import Testing

/// GIFs that are looked at while they come.
@Suite struct GIFPartialTests {
    private static let plain = ["plain", "transparent", "offset", "clipped", "one-frame", "animated"]
    private static let interlaced = ["interlaced", "clipped-interlaced"]

    @Test(
        "S102: an interlaced picture is shown whole, with fewer and fewer rows repeated", arguments: interlaced,
        [1, 97])
    func passes(name: String, step: Int) throws {
        let bytes = try Fixture.bytes("gif/\(name).gif")
        let whole = try GIFDecoder().decode(bytes)
        let viewing = Viewing(bytes, step: step)
        #expect(viewing.failure == nil)
        #expect(viewing.looks.map(\.progress.pass) == Array(1...max(1, viewing.looks.count)))
        #expect(viewing.sinks <= 4 && viewing.rowsMade == viewing.sinks * whole.size.height)
        let errors = viewing.looks.map { error(of: $0.rows, against: whole) }
        for (before, after) in zip(errors, errors.dropFirst()) { #expect(after < before) }
        #expect(viewing.looks.allSatisfy { $0.rows.size == whole.size })
        #expect(viewing.looks.last?.rows == whole)
        guard name == "interlaced" else { return }
        var rest = [8, 4, 2, 1][...]
        for look in viewing.looks {
            let match = rest.firstIndex { Self.coarse(whole, $0).elementsEqual(look.rows.pixels) }
            rest = rest[(try #require(match) + 1)...]
        }
    }

    private static func coarse(_ whole: DecodedRows, _ height: Int) -> [UInt8] {
        (0..<whole.size.height).flatMap { y in
            let row = y / height * height * whole.size.width * 4
            return whole.pixels[row..<row + whole.size.width * 4]
        }
    }

    @Test("rows are seen soon after their bytes: the codes of no more than one row are waited for")
    func delay() throws {
        let size = PixelSize(width: 40, height: 400)
        let bytes = try CoderRegistry.standard.encode(Bitmap.detailed(size), as: .gif).array
        let viewing = Viewing(bytes, step: 64)
        #expect(viewing.looks.count == 8)
        for look in viewing.looks {
            let expected = bytes.count * look.progress.rows / size.height
            #expect(abs(look.count - expected) < bytes.count / 10)
        }
    }
}
#endif
