import ImageCoding
import Pixels
import Testing

/// What every decoder has to stand, format by format.
@Suite("Damaged pictures")
struct DamageTests {
    @Test("every decoder of the package is tried")
    func all() {
        let tried = Set(DamagedPicture.all.flatMap(\.decoder.decodableFormats))
        #expect(Set(CoderRegistry.standard.decodableFormats).isSubset(of: tried))
    }

    @Test("F2: a file cut at each 1/32 is a typed error, or the part that is whole", arguments: DamagedPicture.all)
    func truncation(picture: DamagedPicture) throws {
        try Damage.truncate(picture.path, with: picture.decoder, allowsPart: picture.allowsPart)
    }

    @Test(
        "F3: each byte of the first kilobyte flipped gives a whole picture or a typed error",
        arguments: DamagedPicture.all.filter(\.isFlipped))
    func flips(picture: DamagedPicture) throws {
        try Damage.flip(picture.path, with: picture.decoder, isCheap: picture.isCheap)
    }

    @Test("F12: limits are told before rows are announced", arguments: DamagedPicture.all)
    func limits(picture: DamagedPicture) throws {
        try Damage.refuse(picture.path, with: picture.decoder)
    }

    @Test("a sink of narrow strips gets the same rows", arguments: DamagedPicture.all, [1, 5])
    func strips(picture: DamagedPicture, stripRows: Int) throws {
        let bytes = try Fixture.bytes(picture.path)
        #expect(try picture.decoder.decode(bytes, stripRows: stripRows) == picture.decoder.decode(bytes))
    }
}
