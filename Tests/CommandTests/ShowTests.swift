import Foundation
import ServerSupport
import Synchronization
import Testing
import WebImage

@testable import WebImageCommand

/// `webimage show` in a terminal that this test plays.
@Suite struct ShowTests {
    private let command: BuiltCommand
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        folder = try ScratchFolder()
    }

    private func arguments(_ more: [String]) -> [String] {
        ["show", Pictures.path("animated.png"), "--cache-dir", folder.path("cache")] + more
    }

    @Test(
        "the best that the terminal says it knows is taken",
        arguments: [
            ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4;c", "\u{1B}_Ga=T"),
            ("\u{1B}[?63;1;4;22c", "\u{1B}P0;1q"),
            ("\u{1B}[?6c", "▀"),
        ])
    func choice(answer: String, drawing: String) async throws {
        let terminal = PlayedTerminal(columns: 40, rows: 12, answer: answer)
        let (code, drawn) = try await terminal.run(command.executable, arguments([]))
        #expect(code == 0)
        #expect(drawn.hasPrefix(TerminalAnswer.questions))
        #expect(drawn.dropFirst(TerminalAnswer.questions.count).contains(drawing))
        for other in ["\u{1B}_Ga=T", "\u{1B}P0;1q", "▀"] where other != drawing { #expect(!drawn.contains(other)) }
    }

    @Test("without a terminal characters are drawn, in the size that is asked for, and nothing is asked")
    func piped() async throws {
        let outcome = try await command.run(arguments(["--columns", "20", "--rows", "8"]))
        #expect(outcome.code == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count <= 8 && !lines.isEmpty)
        #expect(lines.allSatisfy { $0.contains { "▀▄ ".contains($0) } && $0.count { "▀▄".contains($0) } <= 20 })
        #expect(!outcome.output.contains(TerminalAnswer.questions))
    }

    @Test("what cannot be shown is told, and the others are drawn; wrong sizes are wrong usage")
    func failures() async throws {
        let outcome = try await command.run(
            arguments([folder.path("missing.png"), "--columns", "10", "--drawing", "sixel"]))
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("\u{1B}P0;1q") && outcome.notes.contains("missing.png"))
        for wrong in [["--columns", "0"], ["--rows", "100000"], ["--drawing", "crayon"]] {
            #expect(try await command.run(arguments(wrong)).code == 2)
        }
    }
}

/// The other side of a terminal that `script` (util-linux) makes.
private struct PlayedTerminal {
    let columns: Int
    let rows: Int
    let answer: String

    /// Answers when the last question has come.
    ///
    /// - Returns: how the program ended, and everything that it wrote.
    func run(_ program: URL, _ arguments: [String]) async throws -> (code: Int32, drawn: String) {
        let (keys, screen) = (try ChildPipe(), try ChildPipe())
        let words = ([program.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let child = try ChildProcess(
            URL(filePath: "/usr/bin/env"),
            ["script", "-qfec", "stty cols \(columns) rows \(rows); exec \(words)", "/dev/null"],
            environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor", "PATH": "/usr/bin:/bin"],
            input: keys.reading, output: screen.writing)
        close(keys.reading)
        close(screen.writing)
        let answer = answer
        let drawn = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let drawn = Self.play(answer, keys: keys.writing, screen: screen.reading)
                continuation.resume(returning: drawn)
            }
        }
        return (await child.end().code, drawn)
    }

    private static func play(_ answer: String, keys: Int32, screen: Int32) -> String {
        var (bytes, isAsked) = ([UInt8](), false)
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(screen, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
            if !isAsked, bytes.count >= TerminalAnswer.questions.utf8.count {
                isAsked = true
                _ = Array(answer.utf8).withUnsafeBytes { write(keys, $0.baseAddress, $0.count) }
            }
        }
        close(screen)
        close(keys)
        return String(decoding: bytes, as: UTF8.self)
    }
}
