import ArgumentParser

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
        subcommands: [LoadCommand.self, InfoCommand.self, CodecsCommand.self, CacheCommand.self])
}

/// Exit codes: 0 when all went well, 1 when something failed, 2 when the command was called wrongly.
@main
enum Program {
    static func main() async {
        do {
            var command = try WebImageCommand.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            leave(with: error)
        }
    }

    private static func leave(with error: any Error) -> Never {
        let code = WebImageCommand.exitCode(for: error)
        let message = WebImageCommand.fullMessage(for: error)
        if code == .success {
            if !message.isEmpty { Output.line(message) }
        } else if !message.isEmpty {
            Output.note(message)
        }
        exit(code == .validationFailure ? 2 : code.rawValue)
    }
}
