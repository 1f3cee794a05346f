#if RAW
import ImageCoding
import Pixels
import Testing

@Suite("RAW")
struct RAWTests {
    private let decoder = RAWDecoder()

    @Test("C203: the full picture is what dcraw_emu develops")
    func pixels() throws {
        let rows = try decoder.decode(Fixture.bytes("raw/upright.dng"))
        #expect(rows.format == .rgbx8 && rows.size == PixelSize(width: 96, height: 64))
        #expect(rows.pixels == (try Fixture.bytes("raw/upright.rgba")))
    }

    #if JPEG
    @Test("C203: the embedded preview serves a smaller size, where it is large enough")
    func preview() throws {
        let bytes = try Fixture.bytes("raw/upright.dng")
        let preview = try decoder.decode(bytes, minimumSize: PixelSize(width: 48, height: 32))
        #expect(preview.size == PixelSize(width: 48, height: 32))
        // The preview is a JPEG of its own, not the sensor's points.
        #expect(preview.pixels != (try Fixture.bytes("raw/upright-half.rgba")))
        #expect(try decoder.decode(bytes, minimumSize: PixelSize(width: 49, height: 32)).size.width == 96)
    }
    #endif
}
#endif
