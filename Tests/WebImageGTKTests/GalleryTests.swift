#if GTK
import ServerSupport
import Testing

/// Programs that open windows, and what is then on the screen.
struct GalleryTests {
    private static let colors = PlainPictures.colors.prefix(2).map(\.text)

    /// Starts a program with a red and a green picture, or the first of them, and looks until they are on the screen.
    private func show(_ program: String, _ words: [String] = [], count: Int = 2) async throws -> Set<String> {
        let pictures = try PlainPictures()
        let shown = try ShownProgram(
            program, words + pictures.files(count).map(\.absoluteString), cachingIn: pictures.folder)
        let seen = await shown.watch({ shown.dump.map(Self.colors(on:)) ?? [] }, until: { $0.count == count })
        await shown.stop()
        return seen
    }

    private static func colors(on dump: ScreenDump) -> Set<String> {
        var seen: Set<String> = []
        for y in stride(from: 0, to: 500, by: 20) {
            for x in stride(from: 0, to: 660, by: 20) where colors.contains(dump.color(x, y)) {
                seen.insert(dump.color(x, y))
            }
        }
        return seen
    }

    @Test("S007: the example of the article shows its pictures on the screen")
    func gallery() async throws {
        #expect(try await show("GTKGallery") == Set(Self.colors))
    }

    @Test("webimage view shows the pictures that it is given as a grid")
    func viewer() async throws {
        #expect(try await show("webimage", ["view"]) == Set(Self.colors))
    }

    @Test("webimage view shows a single picture in the whole window")
    func picture() async throws {
        #expect(try await show("webimage", ["view"], count: 1) == ["200 30 30"])
    }

    @Test("webimage view says so where there is no display")
    func withoutDisplay() async throws {
        let outcome = try await BuiltCommand().run(["view"], environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
        #expect(outcome.code == 1)
        #expect(outcome.notes.contains("no display"))
    }
}
#endif
