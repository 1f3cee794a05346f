import Foundation
import ServerSupport
import Testing
import WebImage

/// What the built command does where its results, or its cache, have no place.
@Suite struct ResultOutputTests {
    private let command: BuiltCommand
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        folder = try ScratchFolder()
        try Pictures.encoded(64, 48, as: .png).write(to: URL(filePath: folder.path("icon.png")))
    }

    #if os(Linux)
    @Test(
        "results that cannot be written end with 1 and a sentence",
        arguments: [
            ["load", "PICTURE", "--json"], ["load", "PICTURE"], ["info", "PICTURE"], ["codecs"],
            ["convert", "PICTURE", "--output", "/dev/null", "--format", "png"], ["codecs", "--json"],
            ["--help"], ["prefetch", "-"],
        ])
    func fullDevice(arguments: [String]) async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let outcome = try await run(arguments, output: full)
        #expect(outcome.code == 1)
        #expect(outcome.notes == "webimage: The results cannot be written: No space left on device.\n")
    }
    #endif

    @Test(
        "who reads no more is not told so",
        arguments: [["load", "PICTURE", "--json"], ["load", "PICTURE"], ["codecs"]])
    func closedPipe(arguments: [String]) async throws {
        let pipe = Foundation.Pipe()
        try pipe.fileHandleForReading.close()
        let outcome = try await run(arguments, output: pipe.fileHandleForWriting)
        #expect(outcome.code == 1 && outcome.notes.isEmpty)
    }

    @Test("looking after a cache that is not there makes none", arguments: ["stats", "list", "clear"])
    func noCache(verb: String) async throws {
        let path = folder.path("no cache")
        for arguments in [["cache", verb], ["cache", verb, "--json"]] {
            let outcome = try await command.run(arguments + ["--cache-dir", path])
            #expect(outcome.code == 1 && outcome.output.isEmpty)
            #expect(outcome.notes.contains("no cache at \(path)"))
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("what comes from outside does not steer the terminal")
    func control() async throws {
        let outcome = try await run(["load", "-", "--json"], input: "a\u{1B}[2J\u{9B}1m.png\n")
        #expect(!(outcome.output + outcome.notes).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
        #expect(try outcome.records(LoadLine.self).map(\.source) == ["a\u{1B}[2J\u{9B}1m.png"])
        let plain = try await run(["load", "-"], input: "a\u{1B}[2J.png\n")
        #expect(plain.code == 1 && plain.notes.hasPrefix("failed   a\\u001b[2J.png: "))
    }

    @Test("an empty list is wrong usage", arguments: ["load", "info", "convert --format=png"])
    func emptyList(verb: String) async throws {
        let outcome = try await run(verb.split(separator: " ").map(String.init) + ["-"], input: "\n# nothing\n")
        #expect(outcome.code == 2 && outcome.output.isEmpty && outcome.notes.contains("names no picture"))
    }

    @Test("info keeps what it has downloaded, and tells it in the order in which it was named")
    func infoOrder() async throws {
        let server = try NginxServer()
        let names = (1...9).map { "\($0).png" }
        for (width, name) in names.enumerated() {
            try Pictures.encoded(width + 1, 1, as: .png).write(to: server.root.appending(path: name))
        }
        for _ in 0..<2 {
            let outcome = try await run(["info", "--json", "--concurrency", "4"] + names.map { server.url($0) })
            #expect(outcome.code == 0)
            #expect(try outcome.records(InfoLine.self).map(\.width) == Array(1...9))
        }
        #expect(try server.stop().sorted() == names.map { "/\($0)" })
    }

    private func run(_ arguments: [String], input: String = "", output: FileHandle? = nil) async throws
        -> BuiltCommand.Outcome
    {
        let picture = folder.path("icon.png")
        let isCached = ["load", "info", "prefetch", "convert"].contains(arguments.first)
        return try await command.run(
            arguments.map { $0 == "PICTURE" ? picture : $0 } + (isCached ? ["--cache-dir", folder.path("cache")] : []),
            input: input.isEmpty ? picture : input, output: output)
    }
}
