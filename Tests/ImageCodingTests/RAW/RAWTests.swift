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

    @Test("P24: the camera's turn is told", arguments: [("upright", Orientation.up), ("turned", .right)])
    func orientation(name: String, orientation: Orientation) throws {
        let info = try decoder.info(Fixture.bytes("raw/\(name).dng"))
        #expect(info.format == .raw && info.orientation == orientation)
        #expect(info.storedSize == PixelSize(width: 96, height: 64))
        #expect(try decoder.decode(Fixture.bytes("raw/\(name).dng")).size == info.storedSize)
    }

    @Test("F2 F3: cut or flipped bytes give a picture or a typed error")
    func damage() throws {
        // LibRaw makes what it can of a sensor's missing rows.
        try Damage.truncate("raw/upright.dng", with: decoder, allowsPicture: true)
        try Damage.flip("raw/upright.dng", with: decoder, isCheap: false)
        try Damage.refuse("raw/upright.dng", with: decoder)
    }
}
#endif
