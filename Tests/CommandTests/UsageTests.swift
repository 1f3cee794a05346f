import Foundation
import ServerSupport
import Testing
import WebImage

@testable import WebImageCommand

/// Wrong usage that only shows when a command runs: told as all other wrong usage is.
@Suite struct UsageTests {
    private let command: BuiltCommand
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        folder = try ScratchFolder()
    }

    @Test(
        "wrong usage that shows late is told with the usage of the command that ran",
        arguments: [
            (["load", "-"], "load"), (["convert", "-", "--format", "png"], "convert"), (["info", "-"], "info"),
            (["prefetch", "no such list"], "prefetch"), (["show", "-", "--drawing", "blocks"], "show"),
            (["cache", "show", "what?"], "cache show"),
        ])
    func late(arguments: [String], name: String) async throws {
        let late = try await command.run(arguments + ["--cache-dir", folder.path("cache")], input: "# nothing\n")
        #expect(late.code == 2 && late.output.isEmpty)
        // The parser's own words about the same command.
        let early = try await command.run(name.split(separator: " ").map(String.init) + ["--no-such-option"])
        let lines = [late, early].map { $0.notes.split(separator: "\n").drop { !$0.hasPrefix("Usage: ") } }
        #expect(late.notes.split(separator: "\n").count == 3)
        #expect(Array(lines[0]) == Array(lines[1]))
        #expect(lines[0].first?.hasPrefix("Usage: webimage \(name) ") == true)
        #expect(lines[0].last == "  See 'webimage \(name) --help' for more information.")
        #expect(late.notes.hasPrefix("Error: "))
    }

    @Test(
        "an empty source is no folder, but wrong usage",
        arguments: [["load"], ["info"], ["show"], ["convert", "--format", "png"], ["load", "a.png"]])
    func empty(words: [String]) async throws {
        let outcome = try await command.run(words + ["", "--cache-dir", folder.path("cache")])
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.notes.hasPrefix("Error: A source is empty: name a URL or a path.\n"))
    }

    @Test(
        "a picture where a list is meant ends at its first line that is no text",
        arguments: [["load", "-"], ["info", "-"], ["convert", "-", "--format", "png"], ["prefetch", "-"]])
    func binary(words: [String]) async throws {
        for (input, number) in [("a.png\n\nb\u{0}c\nd\n", 3), ("\u{FFFD}PNG\n", 1), ("# \u{0}", 1)] {
            let outcome = try await command.run(words + ["--cache-dir", folder.path("cache")], input: input)
            #expect(outcome.code == 2 && outcome.output.isEmpty)
            #expect(outcome.notes.hasPrefix("Error: Line \(number) of the list is no text; "))
            #expect(outcome.notes.split(separator: "\n").count == 3)
        }
    }

    @Test("so does a picture that is given as a list's file", arguments: ["photograph.jpg", "animated.gif"])
    func binaryFile(name: String) async throws {
        let list = folder.path("list")
        let picture = try Pictures.bytes(name).withUnsafeBytes { Data($0) }
        try (Data("# one\r\n\r\n".utf8) + picture).write(to: URL(filePath: list))
        let outcome = try await command.run(["prefetch", list, "--cache-dir", folder.path("cache")])
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.notes.hasPrefix("Error: Line 3 of the list is no text; "))
        #expect(outcome.notes.utf8.count < 1_000)
    }

    @Test(
        "an address that lost its beginning is no file, and the one that was meant is named",
        arguments: [
            ("localhost:8080/a.png", "http://localhost:8080/a.png"), ("127.0.0.1/a.png", "http://127.0.0.1/a.png"),
            ("www.example.com/a.png", "https://www.example.com/a.png"),
            ("example.com/a.png", "https://example.com/a.png"), ("http:/x", "http://x"),
        ], ["load", "info", "convert", "show"])
    func hint(source: (text: String, address: String), verb: String) async throws {
        let words = [verb, source.text, "--cache-dir", folder.path("cache")]
        let outcome = try await command.run(words + (verb == "convert" ? ["--output", folder.path("a.png")] : []))
        #expect(outcome.code == 1 && outcome.output.isEmpty)
        #expect(outcome.notes.hasSuffix(" Did you mean \(source.address)?\n"))
    }

    @Test(
        "a file of such a name is loaded", arguments: ["localhost:8080/a.png", "example.com/a.png", "127.0.0.1/a.png"])
    func file(name: String) async throws {
        let path = folder.path(name)
        try FileManager.default.createDirectory(
            atPath: String(path.dropLast("/a.png".count)), withIntermediateDirectories: true)
        try Pictures.encoded(8, 8, as: .png).write(to: URL(filePath: path))
        let outcome = try await command.run(
            ["load", name, "--json", "--cache-dir", folder.path("cache")],
            under: ["sh", "-c", "cd '\(folder.path(""))' && exec \"$0\" \"$@\""])
        #expect(outcome.code == 0, "\(outcome.notes)")
        #expect(try outcome.records(LoadLine.self).map(\.tier) == ["local"])
    }

    @Test(
        "a host that can be none is wrong usage, and the host alone is named",
        arguments: [
            ("", "example.com"), ("example.com:8080", "example.com"), ("https://cdn.example.com", "cdn.example.com"),
            ("http://127.0.0.1:80/a.png", "127.0.0.1"), ("cdn.example.com/a", "cdn.example.com"),
            ("*.example.com", "example.com"), (".example.com", "example.com"), ("a b", "example.com"),
        ])
    func host(text: String, host: String) async throws {
        let outcome = try await command.run(["cache", "remove", "--host", text, "--cache-dir", folder.path("cache")])
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        let line = outcome.notes.split(separator: "\n").first ?? ""
        #expect(line.hasPrefix("Error: ") && line.hasSuffix("give the host alone: \(host)."))
        #expect(outcome.notes.contains("Usage: webimage cache remove "))
    }

    @Test(
        "hosts alone are names and numbers, also of version 6", arguments: ["::1", "[::1]", "Example.com", "localhost"])
    func hostAlone(text: String) throws {
        #expect(throws: Never.self) { _ = try EntrySelection([], hosts: [text]) }
    }

    @Test("a number of version 6 is found with and without its brackets")
    func hostOfVersion6() {
        #expect(EntrySelection.isHost("::1", of: "http://[::1]:8080/a.png"))
        #expect(!EntrySelection.isHost("::2", of: "http://[::1]:8080/a.png"))
    }
}
