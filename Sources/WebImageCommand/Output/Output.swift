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

    static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    static func note(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    static func control(_ text: String) { write(text, to: STDERR_FILENO) }

    /// One object as one line.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Straight to the descriptor: lines of different tasks come out whole, and nothing is left in a buffer at exit. When
    /// nobody reads any more there is nobody to tell.
    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { _ = Descriptor.writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    }
}
