#if PDF
import ImageCoding
import Pixels
import Testing

@Suite("PDF")
struct PDFTests {
    private let decoder = PDFDecoder()

    @Test("C215: the first page is what pdftocairo makes of it, at 72 dots an inch and at the wanted size")
    func pixels() throws {
        let bytes = try Fixture.bytes("pdf/drawing.pdf")
        let own = try decoder.decode(bytes)
        #expect(own.format == .rgbx8 && own.size == PixelSize(width: 30, height: 23))
        #expect(difference(own.pixels, try Fixture.bytes("pdf/drawing.rgba")).largest <= 1)
        let large = try decoder.decode(bytes, minimumSize: PixelSize(width: 120, height: 90))
        #expect(large.size.width >= 120 && large.size.height >= 90)
    }

    @Test("the header tells size and pages")
    func info() throws {
        let info = try decoder.info(Fixture.bytes("pdf/drawing.pdf"))
        #expect(info.storedSize == PixelSize(width: 30, height: 23))
        #expect(info.frameCount == 2 && !info.hasAlpha)
    }
}
#endif
