import ImageCoding
import Pixels
import Testing

@Suite("ICO and CUR")
struct ICOTests {
    private let decoder = ICODecoder()

    #if PNG
    static let names = ["sizes.ico", "png.ico", "mask24.ico", "soft.ico", "cursor.cur"]
    #else
    static let names = ["sizes.ico", "mask24.ico", "soft.ico", "cursor.cur"]
    #endif

    @Test("the largest picture comes, with its alpha or its mask", arguments: names)
    func pixels(name: String) throws {
        let rows = try decoder.decode(Fixture.bytes("ico/\(name)"))
        #expect(rows.format == .rgba8 && rows.size == PixelSize(width: 32, height: 32))
        #expect(rows.pixels == (try Fixture.bytes("ico/\(name.dropLast(4)).rgba")))
    }

    @Test("P8: the smallest picture that is large enough serves a smaller size")
    func smaller() throws {
        let bytes = try Fixture.bytes("ico/sizes.ico")
        let rows = try decoder.decode(bytes, minimumSize: PixelSize(width: 16, height: 10))
        #expect(rows.pixels == (try Fixture.bytes("ico/sizes-small.rgba")))
        #expect(try decoder.decode(bytes, minimumSize: PixelSize(width: 17, height: 10)).size.width == 32)
        #expect(try decoder.decode(bytes, minimumSize: PixelSize(width: 99, height: 10)).size.width == 32)
    }

    @Test("the directory tells format, size and pictures", arguments: names)
    func info(name: String) throws {
        let info = try decoder.info(Fixture.bytes("ico/\(name)"))
        #expect(info.format == (name.hasSuffix("cur") ? .cur : .ico))
        #expect(info.storedSize == PixelSize(width: 32, height: 32) && info.hasAlpha)
        #expect(info.frameCount == (name == "sizes.ico" ? 2 : info.frameCount))
    }
}
