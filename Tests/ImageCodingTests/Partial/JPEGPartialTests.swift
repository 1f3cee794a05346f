import ImageCoding
import Pixels
import Testing

/// JPEGs that are looked at while they come.
@Suite struct JPEGPartialTests {
    @Test(
        "S102 W024: every pass of a progressive picture is closer to the whole than the one before",
        arguments: ["progressive", "luma-first", "scan-per-colour"], [1, 500])
    func passes(name: String, step: Int) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        let whole = try JPEGDecoder().decode(bytes)
        let viewing = Viewing(bytes, step: step)
        #expect(viewing.failure == nil)
        #expect(viewing.looks.map(\.progress.pass) == Array(1...max(1, viewing.looks.count)))
        #expect(viewing.looks.count >= 2 && viewing.looks.count <= 4)
        let errors = viewing.looks.map { error(of: $0.rows, against: whole) }
        for (before, after) in zip(errors, errors.dropFirst()) { #expect(after <= before) }
        #expect(viewing.looks.allSatisfy { $0.rows.size == whole.size })
        // The first one comes long before the end.
        if name != "scan-per-colour" { #expect(try #require(viewing.looks.first).count < bytes.count / 2) }
    }

    @Test("C201: a small size is looked at in that size")
    func scaled() throws {
        let bytes = try Fixture.bytes("jpeg/progressive.jpg")
        let wanted = PixelSize(width: 20, height: 15)
        let size = try JPEGDecoder().decode(bytes, minimumSize: wanted).size
        let viewing = Viewing(bytes, step: 100, minimumSize: wanted)
        #expect(viewing.looks.allSatisfy { $0.rows.size == size })
        // Small passes are cheap, so there are more of them.
        #expect(viewing.looks.count > Viewing(bytes, step: 100).looks.count)
    }

    @Test("a picture beyond the limits or in arithmetic coding is not shown, and that is all")
    func refusals() throws {
        let bytes = try Fixture.bytes("jpeg/baseline.jpg")
        let refused = Viewing(bytes, step: 500, limits: DecodeLimits(maxPixels: 10))
        #expect((refused.failure as? CodingError)?.code == .tooManyPixels)
        #expect(refused.looks.isEmpty && refused.sinks == 0)
        // The library cannot wait for more in the middle of arithmetic coding.
        #expect(Viewing(try Fixture.bytes("jpeg/arithmetic.jpg"), step: 500).failure is CodingError)
        #expect(Viewing(Array("<html>no picture</html>".utf8), step: 3).failure == nil)
    }
}
