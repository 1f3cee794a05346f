#if GTK
import Testing

/// What the slots of a widget put on the screen, one over the other and one after the other.
@Suite(.serialized)
struct LayerTests {
    @Test("P23 S012 C029: the rows of a picture that is on its way are seen in their place, after the placeholder")
    func rows() async throws {
        let trial = try await Trial("rows")
        #expect(trial["waiting"] == "9 9 99")
        #expect(trial["isLoading"] == "true")
        // It takes the room of the whole picture from the first row on.
        #expect(trial["naturalSize"] == "192 × 192")
        let (there, bare) = (try #require(trial.number("rowsThere")), try #require(trial.number("rowsBare")))
        #expect((16...144).contains(there))
        // A row of blocks at the border may have come only in part.
        #expect((192 - 16...192).contains(there + bare))
        #expect(trial["exact"] == "192")
        #expect(trial["requests"] == "1")
        #expect(trial["held"] == "0")
    }

    @Test("P23 S012 C029: a progressive picture is seen coarse and whole, then as it is, after the placeholder")
    func passes() async throws {
        let trial = try await Trial("passes")
        #expect(trial["waiting"] == "9 9 99")
        #expect(trial["isLoading"] == "true")
        #expect(trial["naturalSize"] == "192 × 192")
        #expect(trial["rowsBare"] == "0")
        #expect(trial["rowsThere"] == "0")
        #expect((1...16).contains(try #require(trial.number("distance"))))
        #expect(trial["exact"] == "192")
        #expect(trial["requests"] == "1")
        #expect(trial["held"] == "0")
    }

    @Test("C299: a widget of the program's own, with no more than a property `paintable`, draws, changes and lets go")
    func ownWidget() async throws {
        let trial = try await Trial("own")
        #expect(trial["size"] == "100 × 100")
        #expect(trial["quarters"] == "255 0 0, 0 255 0, 0 0 255, 255 255 0")
        #expect(trial["changed"] == "0 255 0")
        #expect(trial["cleared"] == "true")
        #expect(trial["heldWhenCleared"] == "0")
        #expect(trial["again"] == "true")
        #expect(trial["shownAgain"] == "0 255 0")
        #expect(trial["heldWithoutWidget"] == "0")
        #expect(trial["keptPaintable"] == "true")
        #expect(trial["drawsNothing"] == "true")
        #expect(trial["gone"] == "1")
    }

    @Test("C292: the background is behind the picture, where that lets it through, and loads for itself")
    func background() async throws {
        let trial = try await Trial("background")
        #expect(trial["alone"] == "0 255 0, 0 255 0, 0 255 0")
        #expect(trial["behind"] == "255 0 0, 128 127 0, 0 255 0")
        #expect(trial["changed"] == "255 0 0, 128 0 127, 0 0 255")
        #expect(trial["missing"] == "404")
        #expect(trial["withoutPicture"] == "0 0 255, 0 0 255, 0 0 255")
        #expect(trial["withoutBackground"] == "true")
        #expect(trial["held"] == "0")
    }
}
#endif
