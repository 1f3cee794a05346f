import ArgumentParser
import Foundation
import Testing
import WebImage

@testable import WebImageCommand

/// What is known of outputs before anything is loaded.
@Suite struct OutputPlanTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try Data([1]).write(to: URL(filePath: folder.path("there.png")))
    }

    private func plan(_ wish: OutputWish, _ sources: String...) throws -> OutputPlan {
        try OutputPlan(wish, for: sources.map { Source($0) })
    }

    /// The one source's failure.
    private func failure(_ wish: OutputWish, _ source: String) throws -> ImageError.Code? {
        switch try plan(wish, source).places.first {
        case .failure(let error): error.code
        default: nil
        }
    }

    @Test("sources of one name get files of their own, numbered in the order of the arguments")
    func names() throws {
        let wish = OutputWish(path: "/nowhere/out", format: .png)
        let places = try plan(wish, "1/a.jpg", "2/a.png", "3/a-2.jpg", "b.gif", "4/a.jpg").places.map { try $0.get() }
        #expect(places.map(\.name) == ["a", "a-2", "a-2-2", "b", "a-3"].map { "/nowhere/out/\($0).png" })
        #expect(places.allSatisfy { $0.format == .png })
    }

    @Test("without a format the picture decides the extension, and never the number")
    func byPicture() throws {
        let sources = ["x/a.jpg", "y/a.png", "z/a.gif"]
        let plan = try plan(OutputWish(path: "/nowhere/out/"), sources[0], sources[1], sources[2])
        for alpha in [[false, false, true], [true, true, false]] {
            let names = try zip(sources.indices, alpha).map { index, alpha in
                try plan.place(index, Source(sources[index]), hasAlpha: alpha).name
            }
            let expected = zip(["a", "a-2", "a-3"], alpha).map { "/nowhere/out/\($0).\($1 ? "png" : "jpg")" }
            #expect(names == expected)
        }
    }

    @Test(
        "F48: a name made from an address stays in its folder",
        arguments: [
            "http://h/%2e%2e%2f%2e%2e%2fpwned.jpg", "http://h/%2e%2e.jpg", "http://h/a%00b%1b.jpg", "http://h/..%2f",
        ])
    func hostileNames(address: String) throws {
        let place = try plan(OutputWish(path: "/nowhere/out/", format: .png), address).places[0].get()
        let path = try #require(place.name)
        let name = path.dropFirst("/nowhere/out/".count)
        #expect(path.hasPrefix("/nowhere/out/") && !name.contains("/") && name != "..")
        #expect(path.unicodeScalars.allSatisfy { $0.value >= 32 })
    }

    @Test("one source goes to a file in the format of its ending")
    func single() throws {
        let places = try plan(OutputWish(path: "/nowhere/out.webp"), "a.jpg").places.map { try $0.get() }
        #expect(places == [.file("/nowhere/out.webp", .webp)])
    }

    @Test("every name of standard output is known, and its report goes elsewhere")
    func standardOutput() throws {
        for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            let plan = try plan(OutputWish(path: name, format: .webp), "a.jpg")
            #expect(try plan.isPiped && plan.places[0].get() == .standardOutput(.webp))
        }
        #expect(try !plan(OutputWish(path: "./-", format: .png), "a.jpg").isPiped)
        #expect(try !plan(OutputWish(), "a.jpg", "b.jpg").isPiped)
    }

    @Test("what is wrong with the words is wrong usage")
    func usage() throws {
        let wishes = [
            OutputWish(path: "/nowhere/out.txt"), OutputWish(path: "-"), OutputWish(path: "", format: .png),
            OutputWish(sheet: "/nowhere/sheet"), OutputWish(sheet: "/nowhere/sheet.txt"), OutputWish(sheet: "-"),
            OutputWish(sheet: folder.path("")), OutputWish(path: "/nowhere/a.png", sheet: "/nowhere/./a.png"),
            OutputWish(path: "/nowhere/", sheet: "/nowhere/a.jpg"),
            OutputWish(path: folder.path("there.png") + "/", format: .png),
        ]
        for wish in wishes {
            #expect(throws: ValidationError.self, "\(wish)") { _ = try plan(wish, "a.png") }
        }
    }

    @Test("so are several pictures for one place")
    func several() {
        for path in ["-", folder.path("there.png"), "/dev/null"] {
            #expect(throws: ValidationError.self) {
                _ = try plan(OutputWish(path: path, format: .png), "a.jpg", "b.jpg")
            }
        }
    }

    @Test("--overwrite replaces a picture's own source, and never another's that may not have been read yet")
    func otherSources() throws {
        let there = folder.path("there.png")
        let wish = OutputWish(path: folder.path("") + "/", format: .png, replacement: .all)
        let places = try plan(wish, "elsewhere/there.png", there).places
        #expect(throws: ImageError.self) { try places[0].get() }
        #expect(try places[1].get().name?.hasSuffix("there-2.png") == true)
        #expect(try plan(wish, there, "elsewhere/there.png").places.map { try $0.get() }.count == 2)
    }

    @Test("files that may not, or cannot, be written fail for their source")
    func obstacles() throws {
        let there = folder.path("there.png")
        #expect(try failure(OutputWish(path: there), there) == .outputIsSource)
        #expect(try failure(OutputWish(path: there, replacement: .all), there) == nil)
        #expect(try failure(OutputWish(path: there, replacement: .none), "a.jpg") == .outputExists)
        #expect(try failure(OutputWish(path: there), "a.jpg") == nil)
        #expect(try failure(OutputWish(path: "\(there)/below.png"), "a.jpg") == .unwritable)
        #expect(try failure(OutputWish(path: "\(there)/below/"), "a.jpg") == .unwritable)
        #expect(try failure(OutputWish(path: folder.path("not/there/yet/a.png")), "a.jpg") == nil)
        #expect(try failure(OutputWish(path: "a.png"), "a.jpg") == nil)
        try FileManager.default.createDirectory(atPath: folder.path("a.png"), withIntermediateDirectories: true)
        #expect(try failure(OutputWish(path: folder.path(""), format: .png), "x/a.jpg") == .unwritable)
    }

    @Test("a picture that decides its name late replaces no source either")
    func lateSource() throws {
        let there = folder.path("there.png")
        let plan = try plan(OutputWish(path: folder.path("")), there)
        #expect(try plan.place(0, Source(there), hasAlpha: false).name == folder.path("there.jpg"))
        let error = #expect(throws: ImageError.self) { try plan.place(0, Source(there), hasAlpha: true) }
        #expect(error?.code == .outputIsSource)
    }
}
