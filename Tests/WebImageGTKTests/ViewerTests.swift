#if GTK
import Foundation
import ServerSupport
import Testing

/// `webimage view`, driven by keys, clicks and drags as by somebody in front of it.
@Suite(.serialized)
struct ViewerTests {
    @Test("webimage view: Return opens a picture, arrows walk and stop at the ends, i tells of it, Escape leads back")
    func keys() async throws {
        let pictures = try PlainPictures()
        let files = try pictures.files(3).map(\.path)
        let viewer = try await SeenViewer(files, pictures)
        #expect(await viewer.sees("RGB--") == "RGB-- webimage")
        try viewer.focus()
        func picture(_ name: Character) -> String { "\(pictures.folder.path)/\(name) 100%.png - webimage" }
        let walk: [(key: String, picture: Character)] = [
            // Neither end leads on to the other: what comes after the last key there is told by the next.
            ("Return", "R"), ("Left", "R"), ("Right", "G"), ("Right", "B"), ("Right", "B"), ("Left", "G"),
        ]
        for (key, name) in walk {
            try viewer.press(key)
            let wanted = String(repeating: name, count: 5)
            #expect(await viewer.sees(wanted, titled: picture(name)) == "\(wanted) \(picture(name))", "\(key)")
        }
        #expect(await viewer.sheet(isThere: false) == false)
        try viewer.press("i")
        #expect(await viewer.sheet(isThere: true) == true)
        try viewer.press("i")
        #expect(await viewer.sheet(isThere: false) == false)
        try viewer.press("Escape")
        #expect(await viewer.sees("RGB--") == "RGB-- webimage")
        // The grid has the keys again, at the picture that was looked at last.
        try viewer.press("Return")
        #expect(await viewer.sees("GGGGG", titled: picture("G")) == "GGGGG \(picture("G"))")
        try viewer.press("Escape")
        #expect(await viewer.sees("RGB--") == "RGB-- webimage")
        try viewer.press("Right", "Return")
        #expect(await viewer.sees("BBBBB", titled: picture("B")) == "BBBBB \(picture("B"))")
        #expect(try await viewer.quit() == 0)
        #expect(!viewer.words.contains("CRITICAL"), "\(viewer.words)")
    }

    @Test("webimage view: a click opens the picture under the pointer")
    func clicks() async throws {
        let pictures = try PlainPictures()
        let viewer = try await SeenViewer(pictures.files(4).map(\.path), pictures)
        #expect(await viewer.sees("RGBY-") == "RGBY- webimage")
        try viewer.click(on: 2)
        let title = "\(pictures.folder.path)/B 100%.png - webimage"
        #expect(await viewer.sees("BBBBB", titled: title) == "BBBBB \(title)")
        try viewer.focus()
        // Ctrl+Q ends it from here as from the grid.
        #expect(try await viewer.quit() == 0)
    }

    @Test("webimage view: Ctrl+Q ends it, also where there is no picture yet")
    func quit() async throws {
        let viewer = try await SeenViewer([], PlainPictures())
        #expect(await viewer.sees("-----") == "----- webimage")
        try viewer.focus()
        #expect(try await viewer.quit() == 0)
    }

    @Test("webimage view: files that are dropped on it come to its pictures, and so do the addresses in a text")
    func drops() async throws {
        let pictures = try PlainPictures()
        let files = try pictures.files(4)
        let viewer = try await SeenViewer([], pictures)
        #expect(await viewer.sees("-----") == "----- webimage")
        func drop(_ offer: [String: String]) async throws {
            let said = try await viewer.drop(offer, cachingIn: pictures.folder)
            #expect(said == ["begun", "accepted", "ended"], "\(offer)")
        }
        // None of these lines says where anything is: what is dropped next is the first picture.
        let junk = "no address\r\n\r\n  \r\n# file:///etc/passwd\r\nhttp\r\nmailto:a@example.org\r\n../R.png\u{1}"
        try await drop(["WEBIMAGE_DRAG_TEXT": junk])
        try await drop(["WEBIMAGE_DRAG_FILES": files[0].path])
        #expect(await viewer.sees("R----") == "R---- webimage")
        let text = "\(files[1].absoluteString)\r\n  \(files[2].path) \r\n"
        try await drop(["WEBIMAGE_DRAG_TEXT": text])
        #expect(await viewer.sees("RGB--") == "RGB-- webimage")
        try await drop(["WEBIMAGE_DRAG_FILES": "\(files[3].path)\n\(files[0].path)"])
        #expect(await viewer.sees("RGBYR") == "RGBYR webimage")
        try viewer.focus()
        #expect(try await viewer.quit() == 0)
        #expect(!viewer.words.contains("CRITICAL"), "\(viewer.words)")
    }

    @Test("webimage view: space holds an animation, and lets it go on")
    func holds() async throws {
        let pictures = try PlainPictures()
        let viewer = try await SeenViewer([pictures.animation().path], pictures)
        #expect(await viewer.moves(3))
        try viewer.focus()
        try viewer.press("space")
        #expect(await viewer.stands())
        try viewer.press("space")
        #expect(await viewer.moves(3))
        #expect(try await viewer.quit() == 0)
    }
}
#endif
