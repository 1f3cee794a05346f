#if GTK
import Foundation
import ServerSupport
import Synchronization

/// A running `webimage view` with thumbnails in one row, at the upper left of its screen.
final class SeenViewer: Sendable {
    /// Where the thumbnails' middles are.
    private static let places = (0..<5).map { (x: 90 + 180 * $0, y: 90) }

    let hand: VirtualHand
    private let program: ShownProgram
    private let window: String

    /// Starts it and waits for its window.
    init(_ sources: [String], _ pictures: PlainPictures) async throws {
        let program = try ShownProgram("webimage", ["view"] + sources, cachingIn: pictures.folder)
        let hand = try VirtualHand(at: program.screen)
        let window = await program.watch({ try? hand.window(titled: "webimage$") }, until: { $0 != nil })
        (self.program, self.hand, self.window) = (program, hand, window ?? "none")
    }

    var screen: VirtualScreen { program.screen }
    var words: String { program.words }

    // MARK: What it is told

    /// Has it get the keys.
    func focus() throws { _ = try hand("windowfocus", window) }

    func press(_ keys: String...) throws { for key in keys { _ = try hand("key", key) } }

    func click(on thumbnail: Int) throws {
        _ = try hand("mousemove", "\(Self.places[thumbnail].x)", "\(Self.places[thumbnail].y)", "click", "1")
    }

    /// Ends it by its key.
    ///
    /// - Returns: its code; nil if it was a signal that ended it.
    func quit() async throws -> Int32? {
        try press("ctrl+q")
        let ending = await program.end()
        return ending.isKilled ? nil : ending.code
    }

    /// Has another window on the screen offer something, drags it here, and lets go.
    ///
    /// - Parameter offer: what `GTKTrial` reads of its environment.
    /// - Returns: what the source says of the drag, in order, when it is over.
    func drop(_ offer: [String: String], cachingIn folder: URL) async throws -> [String] {
        let source = try ShownProgram("GTKTrial", ["drag"], cachingIn: folder, on: screen, environment: offer)
        let found = await source.watch({ [hand] in try? hand.window(titled: "^drag source$") }, until: { $0 != nil })
        guard let other = found ?? nil else { return ["no window"] }
        // Beside the viewer's window, and under the pointer.
        _ = try hand("windowmove", other, "970", "900", "mousemove", "990", "920", "mousedown", "1")
        // Neither end says when it is ready for the next step but by what it does, so the pointer goes on moving until then.
        func move(to x: Int, _ y: Int, until word: String) async {
            let step = Mutex(0)
            _ = await source.watch(
                { [hand] in
                    let offset = step.withLock { step in
                        step = (step + 7) % 20
                        return step
                    }
                    _ = try? hand("mousemove", "\(x + offset)", "\(y + offset)")
                    return source.words.contains(word)
                }, until: { $0 })
        }
        await move(to: 985, 905, until: "begun")
        await move(to: 480, 600, until: "accepted")
        _ = try hand("mouseup", "1")
        _ = await source.end()
        let words = ["begun", "accepted", "cancelled", "ended", "CRITICAL"]
        return words.filter { source.words.contains($0) }
    }

    // MARK: What it shows

    /// Waits for colours in the middles of five thumbnails' places, and a title.
    ///
    /// - Parameter colors: the first letters of their names; a stroke for anything else.
    /// - Returns: what was seen last.
    func sees(_ colors: String, titled title: String = "webimage") async -> String {
        await program.watch(
            { [self] in
                let title = (try? hand("getwindowname", window)) ?? "no title"
                return "\(String(Self.places.map { color($0.x, $0.y) })) \(title)"
            }, until: { $0 == "\(colors) \(title)" })
    }

    /// Waits until the sheet is over the picture's upper right corner, or is not.
    func sheet(isThere: Bool) async -> Bool {
        await program.watch({ [self] in color(955, 2) == "-" }, until: { $0 == isThere })
    }

    /// Waits until the picture has changed so often.
    func moves(_ count: Int) async -> Bool {
        let seen = Mutex<[Character]>([])
        let changes = await program.watch(
            { [self] in
                let color = color(480, 360)
                return seen.withLock { seen in
                    if color != "-", color != seen.last { seen.append(color) }
                    return seen.count
                }
            }, until: { $0 > count })
        return changes > count
    }

    /// Waits until the picture has been the same for so long that one of ten frames a second would have changed.
    func stands() async -> Bool {
        let same = Mutex<(color: Character, count: Int)>(("-", 0))
        let wanted = 100
        let count = await program.watch(
            { [self] in
                let color = color(480, 360)
                return same.withLock { same in
                    same = (color, color == same.color ? same.count + 1 : 0)
                    return same.count
                }
            }, until: { $0 >= wanted })
        return count >= wanted
    }

    private func color(_ x: Int, _ y: Int) -> Character {
        let text = program.dump?.color(x, y)
        return PlainPictures.colors.first { $0.text == text }?.name ?? "-"
    }
}
#endif
