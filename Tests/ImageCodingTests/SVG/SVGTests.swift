#if SVG
import ImageCoding
import Pixels
import Synchronization
import Testing

@Suite("SVG")
struct SVGTests {
    private let decoder = SVGDecoder()

    @Test("P40: a drawing is what rsvg-convert makes of it, at its own size and at the wanted one")
    func pixels() throws {
        let bytes = try Fixture.bytes("svg/drawing.svg")
        let own = try decoder.decode(bytes)
        #expect(own.format == .rgba8 && own.size == PixelSize(width: 40, height: 30))
        // rsvg-convert's PNG holds straight colours: each was divided by alpha and is multiplied again.
        #expect(difference(own.pixels, try Fixture.bytes("svg/drawing.rgba")).largest <= 1)
        let large = try decoder.decode(bytes, minimumSize: PixelSize(width: 160, height: 100))
        #expect(large.size == PixelSize(width: 160, height: 120))
        #expect(difference(large.pixels, try Fixture.bytes("svg/drawing-160.rgba")).largest <= 1)
    }

    @Test("a drawing without a size of its own has its view box's")
    func percent() throws {
        #expect(try decoder.info(Fixture.bytes("svg/percent.svg")).storedSize == PixelSize(width: 40, height: 30))
    }

    @Test("P40: nothing outside the document is loaded")
    func outside() throws {
        let rows = try decoder.decode(Fixture.bytes("svg/outside.svg"))
        #expect(rows.pixels.allSatisfy { $0 == 0 })
    }

    @Test("P40: entities and references that multiply are refused", arguments: ["entities", "uses"])
    func multiplied(name: String) throws {
        #expect(decoder.outcome(try Fixture.bytes("svg/\(name).svg")).failureCode == .malformed)
    }

    @Test("P40 F12: what multiplies is given up as soon as it may not go on")
    func stopped() throws {
        let asked = Mutex(0)
        let options = DecodeOptions(shouldContinue: {
            asked.withLock { asked in
                asked += 1
                return asked < 1_000
            }
        })
        let bytes = try Fixture.bytes("svg/uses.svg")
        let error = #expect(throws: CodingError.self) {
            try withExactCopy(of: bytes) { try decoder.decode($0, options: options, into: BitmapSink()) }
        }
        #expect(error?.code == .cancelled)
        // Not drawn any further.
        #expect(asked.withLock { $0 } == 1_000)
    }

    @Test("F12 P40: a small file that asks for a huge picture is refused, but drawn small")
    func huge() throws {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='50000' height='40000'><rect width='9' height='9'/></svg>"
        let bytes = Array(text.utf8)
        #expect(decoder.outcome(bytes).failureCode == .tooManyPixels)
        #expect(try decoder.decode(bytes, minimumSize: PixelSize(width: 5, height: 4)).size.width == 5)
    }
}
#endif
