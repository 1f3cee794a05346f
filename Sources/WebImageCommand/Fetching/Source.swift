import ArgumentParser

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One picture that was named on the command line.
struct Source: Hashable, Sendable {
    /// As it was written.
    let text: String
    /// `nil` when the text is no URL that can be read.
    let url: URL?

    /// A URL with a scheme that can be loaded, or a path.
    init(_ text: String) {
        self.text = text
        let scheme = text.prefix { $0 != ":" }.lowercased()
        if text.contains("://") || scheme == "data" {
            url = URL(string: text)
        } else {
            url = URL(filePath: text)
        }
    }

    /// The sources in order; `-` stands for the lines of standard input.
    static func list(_ arguments: [String], readLine: () -> String? = { Swift.readLine() }) -> [Source] {
        arguments.flatMap { $0 == "-" ? lines(readLine) : [Source($0)] }
    }

    /// The same, for a command that has nothing to do without any.
    static func named(_ arguments: [String]) throws(ValidationError) -> [Source] {
        let sources = list(arguments)
        guard !sources.isEmpty else { throw ValidationError("The list names no picture: one URL or path a line.") }
        return sources
    }

    /// One source a line. Empty lines are passed over, and so are those that begin with `#`, which are comments.
    static func lines(_ readLine: () -> String?) -> [Source] {
        var sources: [Source] = []
        while let line = readLine() {
            let text = line.trimmed
            if !text.isEmpty, !text.hasPrefix("#") { sources.append(Source(text)) }
        }
        return sources
    }

    /// A short name for progress bars and output files: the last part of the path, without its extension.
    var name: String {
        guard let url, url.scheme?.lowercased() != "data" else { return "data" }
        let last = url.deletingPathExtension().lastPathComponent
        return Self.fileName(last.isEmpty || last == "/" ? (url.host() ?? "picture") : last)
    }

    /// A name that stays in its folder, whatever an address decodes to: one component, printable, of moderate length.
    private static func fileName(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(48).map { scalar in
            scalar == "/" || scalar.value < 32 || (127..<160).contains(scalar.value) ? "_" : String(scalar)
        }.joined()
        return safe.allSatisfy { $0 == "." } ? "picture" : safe
    }
}

extension StringProtocol {
    /// Without white space at both ends.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
