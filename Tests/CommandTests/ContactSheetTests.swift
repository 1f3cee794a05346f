import Foundation
import ServerSupport
import Testing
import WebImage

/// `webimage load --contact-sheet`, by the built command and a real server.
@Suite struct ContactSheetTests {
    private let command: BuiltCommand
    private let server: NginxServer
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        server = try NginxServer()
        folder = try ScratchFolder()
        try Pictures.encoded(64, 48, as: .png).write(to: server.root.appending(path: "icon.png"))
    }

    private func load(_ sources: [String], _ arguments: String...) async throws -> BuiltCommand.Outcome {
        try await command.run(["load"] + sources + arguments + ["--cache-dir", folder.path("cache")])
    }

    @Test("the sheet is of the format that its extension names", arguments: CoderRegistry.standard.encodableFormats)
    func formats(format: ImageFormat) async throws {
        let name = "sheet.\(format.fileExtension)"
        let outcome = try await load([server.url("icon.png")], "--contact-sheet", folder.path(name))
        #expect(outcome.code == 0, "\(outcome.notes)")
        #expect(try folder.bytes(of: name).withUnsafeBytes { ImageFormat(sniffing: $0) } == format)
        #expect(try folder.size(of: name) == PixelSize(width: 352, height: 272))
    }

    @Test("without a single picture there is no sheet, and what was there stays")
    func nothing() async throws {
        let failed = try await load([server.url("none.png")], "--contact-sheet", folder.path("sheet.png"))
        #expect(failed.code == 1 && failed.output.isEmpty)
        let lines = failed.notes.split(separator: "\n")
        #expect(lines.first?.hasPrefix("failed   ") == true)
        #expect(lines.last?.hasSuffix("sheet.png is not written: there is no picture to show.") == true)
        #expect(try !folder.names.contains("sheet.png"))
        try Data([7]).write(to: URL(filePath: folder.path("old.png")))
        #expect(try await load([server.url("none.png")], "--contact-sheet", folder.path("old.png")).code == 1)
        #expect(try folder.bytes(of: "old.png").count == 1)
    }

    @Test("an extension of no format is wrong usage, and so is what is no file", arguments: ["a.xyz", "a", "", "-"])
    func usage(name: String) async throws {
        let sheet = ["", "-"].contains(name) ? name : folder.path(name)
        let outcome = try await load([server.url("icon.png")], "--contact-sheet", sheet)
        #expect(outcome.code == 2 && outcome.output.isEmpty && outcome.notes.hasPrefix("Error: "))
        #expect(try server.stop().isEmpty && folder.names.isEmpty)
    }

    @Test("the sheet takes the place of no source and of no other output")
    func collisions() async throws {
        try Pictures.encoded(8, 8, as: .png).write(to: URL(filePath: folder.path("own.png")))
        let before = try folder.bytes(of: "own.png").count
        let source = try await load([folder.path("own.png")], "--contact-sheet", folder.path("own.png"))
        #expect(source.code == 2 && source.notes.contains("is a source itself"))
        let same = try await load(
            [folder.path("own.png")], "--output", folder.path("a.png"), "--contact-sheet", folder.path("./a.png"))
        #expect(same.code == 2 && same.notes.contains("name the same file"))
        let inFolder = try await load(
            [folder.path("own.png")], "--output", folder.path("out") + "/", "--contact-sheet",
            folder.path("out/own.jpg"))
        #expect(inFolder.code == 2 && inFolder.notes.contains("is where a source's picture goes"))
        #expect(try folder.names == ["own.png"] && folder.bytes(of: "own.png").count == before)
    }

    @Test("a place that takes no file is told before anything is loaded")
    func early() async throws {
        try Data([1]).write(to: URL(filePath: folder.path("file")))
        let sheet = folder.path("file") + "/sheet.png"
        let outcome = try await load([server.url("icon.png")], "--contact-sheet", sheet)
        #expect(outcome.code == 1 && outcome.output.isEmpty)
        #expect(outcome.notes == "Error: The contact sheet \(sheet) is not written: Not a directory\n")
        #expect(try server.stop().isEmpty)
    }

    #if os(Linux)
    @Test("a sheet that cannot be written later fails with a sentence, and what was downloaded is kept")
    func late() async throws {
        let sheet = folder.path("sheet.png")
        try FileManager.default.createSymbolicLink(atPath: sheet, withDestinationPath: "/dev/full")
        let outcome = try await load([server.url("icon.png")], "--contact-sheet", sheet)
        #expect(outcome.code == 1)
        #expect(outcome.notes == "Error: The contact sheet \(sheet) is not written: No space left on device\n")
        let again = try await load([server.url("icon.png")], "--offline", "--json")
        #expect(try again.records(LoadLine.self).map(\.tier) == ["disk"])
    }
    #endif
}
