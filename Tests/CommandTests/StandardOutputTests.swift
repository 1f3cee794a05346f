import Foundation
import ServerSupport
import Testing
import WebImage

/// Pictures that the built command hands on through standard output.
@Suite struct StandardOutputTests {
    private let command: BuiltCommand
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        folder = try ScratchFolder()
        try Pictures.encoded(64, 48, as: .png).write(to: URL(filePath: folder.path("icon.png")))
    }

    /// Runs it with standard output in the file `piped`.
    private func run(_ arguments: [String]) async throws -> BuiltCommand.Outcome {
        _ = FileManager.default.createFile(atPath: folder.path("piped"), contents: Data())
        let file = try #require(FileHandle(forWritingAtPath: folder.path("piped")))
        return try await run(arguments, into: file)
    }

    private func run(_ arguments: [String], into file: FileHandle) async throws -> BuiltCommand.Outcome {
        let arguments = arguments.map { $0 == "PICTURE" ? folder.path("icon.png") : $0 }
        return try await command.run(arguments + ["--cache-dir", folder.path("cache")], output: file)
    }

    @Test(
        "standard output gets the picture and nothing else, standard error the report", arguments: ["load", "convert"],
        ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
    func picture(verb: String, name: String) async throws {
        let arguments = [verb, "PICTURE", "--format", "webp", "--output", name]
        let told = try await run(arguments)
        #expect(told.code == 0)
        let picture = try folder.bytes(of: "piped")
        #expect(picture.withUnsafeBytes { ImageFormat(sniffing: $0) } == .webp)
        #expect(try folder.size(of: "piped") == PixelSize(width: 64, height: 48))
        let lines = told.notes.split(separator: "\n")
        #expect(lines.count == 1 && told.notes.contains(folder.path("icon.png")) && told.notes.contains("→ -"))
        let json = try await run(arguments + ["--json"])
        #expect(json.code == 0)
        #expect(try folder.bytes(of: "piped").withUnsafeBytes { Data($0) } == picture.withUnsafeBytes { Data($0) })
        let line = try JSONDecoder().decode(PipedLine.self, from: Data(json.notes.utf8))
        #expect(line.output == "-" && line.width == 64 && line.height == 48 && line.error == nil)
        #expect(try folder.names.filter { $0 != "cache" } == ["icon.png", "piped"])
    }

    @Test("what is written is the same as in a file", arguments: ["load", "convert"])
    func same(verb: String) async throws {
        let arguments = [verb, "PICTURE", "--format", "jpeg", "--quality", "60", "--output"]
        #expect(try await run(arguments + ["-"]).code == 0)
        let file = [verb, folder.path("icon.png")] + arguments.dropFirst(2) + [folder.path("file.jpg")]
        #expect(try await command.run(file).code == 0)
        let (piped, whole) = try (folder.bytes(of: "piped"), folder.bytes(of: "file.jpg"))
        #expect(piped.withUnsafeBytes { Data($0) } == whole.withUnsafeBytes { Data($0) })
    }

    @Test("a list of one may be piped, and its contact sheet is a file that standard error names")
    func sheet() async throws {
        let sheet = folder.path("sheet.png")
        let outcome = try await run(
            ["load", "PICTURE", "--format", "png", "--output", "-", "--contact-sheet", sheet])
        #expect(outcome.code == 0 && outcome.notes.hasSuffix("\n\(sheet)\n"))
        #expect(try folder.size(of: "piped") == PixelSize(width: 64, height: 48))
        #expect(try folder.size(of: "sheet.png") == PixelSize(width: 352, height: 272))
    }

    @Test("a picture that fails leaves standard output empty", arguments: ["load", "convert"])
    func failure(verb: String) async throws {
        let outcome = try await run([verb, folder.path("none.png"), "--format", "png", "--output", "-"])
        #expect(outcome.code == 1 && outcome.notes.hasPrefix("failed   "))
        #expect(try folder.bytes(of: "piped").count == 0)
    }

    @Test(
        "without a format, and for several pictures, it is wrong usage",
        arguments: [
            (["load", "PICTURE"], "say --format"), (["convert", "PICTURE"], "Say --format"),
            (["load", "PICTURE", "PICTURE", "--format", "png"], "there are 2 sources"),
            (["convert", "PICTURE", "PICTURE", "--format", "png"], "there are 2 sources"),
        ])
    func usage(arguments: [String], sentence: String) async throws {
        let outcome = try await run(arguments + ["--output", "-"])
        #expect(outcome.code == 2 && outcome.notes.hasPrefix("Error: ") && outcome.notes.contains(sentence))
        #expect(try folder.bytes(of: "piped").count == 0)
    }

    @Test("a terminal takes no picture", arguments: ["load", "convert"], ["-", "/dev/stdout"])
    func terminal(verb: String, name: String) async throws {
        let words =
            [verb, folder.path("icon.png"), "--format", "png", "--output", name]
            + ["--cache-dir", folder.path("cache")]
        let line = ([command.executable.path] + words).map { "'\($0)'" }.joined(separator: " ")
        let child = try ChildProcess(
            URL(filePath: "/usr/bin/env"), ["script", "-qfec", "exec \(line) 2>'\(folder.path("notes"))'", "/dev/null"])
        #expect(await child.end().code == 2)
        let notes = try String(contentsOf: URL(filePath: folder.path("notes")), encoding: .utf8)
        #expect(notes.hasPrefix("Error: A terminal takes no picture"))
        #expect(try folder.names == ["icon.png", "notes"])
    }

    #if os(Linux)
    @Test("a picture that standard output does not take ends with 1 and a sentence", arguments: ["load", "convert"])
    func full(verb: String) async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let outcome = try await run([verb, "PICTURE", "--format", "png", "--output", "-"], into: full)
        #expect(outcome.code == 1)
        #expect(outcome.notes == "webimage: The results cannot be written: No space left on device.\n")
    }
    #endif

    @Test("who reads no more is not told so", arguments: ["load", "convert"])
    func closed(verb: String) async throws {
        let pipe = Foundation.Pipe()
        try pipe.fileHandleForReading.close()
        let outcome = try await run(
            [verb, "PICTURE", "--format", "png", "--output", "-"], into: pipe.fileHandleForWriting)
        #expect(outcome.code == 1 && outcome.notes.isEmpty)
    }
}

/// What the records of `load` and `convert` have in common.
private struct PipedLine: Decodable {
    let output: String?
    let width: Int?
    let height: Int?
    let error: LoadLine.Failure?
}
