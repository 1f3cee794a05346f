import ArgumentParser
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The command `webimage`.
struct WebImageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webimage",
        abstract: "Turns URLs into pixels: load, inspect and convert pictures, and look after their cache.",
        version: "0.1.0",
        subcommands: [
            LoadCommand.self, ConvertCommand.self, PrefetchCommand.self, InfoCommand.self, ShowCommand.self,
            CodecsCommand.self, CacheCommand.self, ViewCommand.self,
        ])
}

/// Exit codes: 0 when all went well, 1 when something failed, 2 when the command was called wrongly.
@main
enum Program {
    /// Synchronous, so that a command with a window has the first thread of the process.
    static func main() {
        Output.reportClosedPipes()
        refuseNamesLikeOptions()
        var command = parsed()
        if command is any AsyncParsableCommand {
            Task { await runAsynchronously() }
            dispatchMain()
        }
        do { try command.run() } catch { leave(with: error, of: type(of: command)) }
    }

    /// A file that is called -h1.jpg would be read as options of a letter each, and the first of them as a wish for help.
    private static func refuseNamesLikeOptions() {
        let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
        let odd = words.first { word in
            word.hasPrefix("-") && word.count > 2 && word.dropFirst().first?.isLetter == true
        }
        guard let odd else { return }
        Output.note("Error: \(odd) looks like options; for a file of that name say ./\(odd).")
        exit(2)
    }

    /// Reads the words once more: a command does not go from one thread to another.
    private static func runAsynchronously() async {
        var command = parsed()
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch {
            leave(with: error, of: type(of: command))
        }
    }

    private static func parsed() -> any ParsableCommand {
        do { return try WebImageCommand.parseAsRoot() } catch { leave(with: error, of: nil) }
    }

    /// - Parameter command: what ran; nil when it did not come to that.
    private static func leave(with error: any Error, of command: (any ParsableCommand.Type)?) -> Never {
        if let failure = error as? Output.Failure { leave(with: failure) }
        let code = WebImageCommand.exitCode(for: error)
        let wrongUsage = (error as? ValidationError).flatMap { error in
            command.map { WebImageCommand.message(for: error, of: $0) }
        }
        let message = wrongUsage ?? WebImageCommand.fullMessage(for: error)
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        if lines != [""] {
            for line in lines.map(String.init) {
                guard code == .success else {
                    Output.note(line)
                    continue
                }
                do throws(Output.Failure) { try Output.line(line) } catch { leave(with: error) }
            }
        }
        exit(code == .validationFailure ? 2 : code.rawValue)
    }

    private static func leave(with failure: Output.Failure) -> Never {
        if !failure.isClosedPipe { Output.note("webimage: \(failure)") }
        exit(1)
    }
}
