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
}
