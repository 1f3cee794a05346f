import ImageCoding
import Pixels
import Testing

/// What holds for the pictures of every format that can be looked at while they come.
@Suite struct ComingPictureTests {
    @Test(
        "S102 C191: rows come from top to bottom and are those of the whole decode, however small the portions",
        arguments: ComingPicture.rows, [1, 97, 4_096])
    func rows(picture: ComingPicture, step: Int) throws {
        let bytes = try Fixture.bytes(picture.file)
        let whole = try picture.decoder.decode(bytes)
        let viewing = Viewing(bytes, step: step)
        #expect(viewing.failure == nil)
        // Each row is made once.
        #expect(viewing.sinks == 1 && viewing.rowsMade == whole.size.height)
        for look in viewing.looks {
            #expect(look.progress.pass == 1 && look.progress.rowCount == whole.size.height)
            #expect(look.rows.size.height == look.progress.rows)
            #expect(look.rows.pixels.elementsEqual(whole.pixels.prefix(look.rows.pixels.count)))
        }
        let heights = viewing.looks.map(\.progress.rows)
        #expect(heights == Array(Set(heights)).sorted() && heights.count <= 8)
        #expect(viewing.looks.last?.rows == whole)
    }

    @Test("a picture beyond the limits is not begun", arguments: ComingPicture.kinds)
    func limits(picture: ComingPicture) throws {
        let bytes = try Fixture.bytes(picture.file)
        for limits in [DecodeLimits(maxPixels: 10), DecodeLimits(maxSide: 3), DecodeLimits(maxInputBytes: 10)] {
            let viewing = Viewing(bytes, step: 50, limits: limits)
            #expect(viewing.failure is CodingError && viewing.sinks == 0 && viewing.looks.isEmpty)
        }
    }

    @Test("a file that is cut off shows what there is", arguments: ComingPicture.kinds)
    func truncation(picture: ComingPicture) throws {
        // A frame without colours is refused as soon as it is seen.
        guard !picture.file.contains("no-palette") else { return }
        try Damage.truncateParts(picture.file)
    }

    @Test(
        "each byte of the first kilobyte turned over: previews, an error, or nothing", arguments: ComingPicture.kinds)
    func flips(picture: ComingPicture) throws {
        try Damage.flipParts(picture.file, isCheap: picture.isCheap)
    }
}
