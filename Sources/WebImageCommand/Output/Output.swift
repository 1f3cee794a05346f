import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard output for results, standard error for everything else.
enum Output {
    /// Where a command tells what became of its sources.
    enum Channel: Sendable {
        case output
        /// While a picture takes standard output.
        case error

        fileprivate var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
    }

    /// Results cannot be written.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32

        /// Whoever read the results has enough of them, as `head` does: nothing that needs words.
        var isClosedPipe: Bool { code == EPIPE }
        var description: String { "The results cannot be written: \(String(cString: strerror(code)))." }
    }

    /// Whether a person looks at standard output.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether a person looks at standard error.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The terminal's width in columns; 80 when it does not say.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Has a pipe that nobody reads end in an error and not in a signal, so that what was begun is brought to its end.
    static func reportClosedPipes() { signal(SIGPIPE, SIG_IGN) }

    /// One line of results; what a terminal would obey is made visible.
    static func line(_ text: String, to channel: Channel = .output) throws(Failure) {
        let code = write(text.visible + "\n", to: channel.descriptor)
        guard code == 0 else { throw Failure(code: code) }
    }

    /// An encoded picture as the one result.
    static func picture(_ bytes: Bytes) throws(Failure) {
        let code = bytes.withUnsafeBytes { Descriptor.writeAll($0, to: STDOUT_FILENO) }
        guard code == 0 else { throw Failure(code: code) }
    }

    /// Commands for the terminal that draw a result.
    static func drawing(_ text: String) throws(Failure) {
        let code = write(text, to: STDOUT_FILENO)
        guard code == 0 else { throw Failure(code: code) }
    }

    /// One line for people. When nobody reads it there is nobody to tell.
    static func note(_ text: String) { _ = write(text.visible + "\n", to: STDERR_FILENO) }

    /// For the terminal to obey.
    static func control(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// One object as one line.
    static func json(_ value: some Encodable, to channel: Channel = .output) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try line(String(decoding: try encoder.encode(value), as: UTF8.self), to: channel)
    }

    /// Straight to the descriptor: lines of different tasks come out whole, and nothing is left in a buffer at exit.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { Descriptor.writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    }
}
