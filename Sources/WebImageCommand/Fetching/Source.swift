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
    ///
    /// - Throws: wrong usage, for an empty argument, which would be the current folder, and for what ``lines(_:)`` throws.
    static func list(
        _ arguments: [String], readLine: () -> String? = { Swift.readLine() }
    ) throws(ValidationError) -> [Source] {
        guard !arguments.contains("") else { throw ValidationError("A source is empty: name a URL or a path.") }
        var sources: [Source] = []
        for argument in arguments { sources += try argument == "-" ? lines(readLine) : [Source(argument)] }
        return sources
    }

    /// The same, for a command that has nothing to do without any.
    static func named(_ arguments: [String]) throws(ValidationError) -> [Source] {
        let sources = try list(arguments)
        guard !sources.isEmpty else { throw ValidationError("The list names no picture: one URL or path a line.") }
        return sources
    }

    /// One source a line. Empty lines are passed over, and so are those that begin with `#`, which are comments.
    ///
    /// - Throws: wrong usage at the first line that is no text: a picture was given where a list of pictures is meant.
    static func lines(_ readLine: () -> String?) throws(ValidationError) -> [Source] {
        var sources: [Source] = []
        var number = 0
        while let line = readLine() {
            number += 1
            // What is no UTF-8 has become U+FFFD by now.
            guard !line.unicodeScalars.contains(where: { $0 == "\0" || $0 == "\u{FFFD}" }) else {
                throw ValidationError("Line \(number) of the list is no text; a list has one URL or path a line.")
            }
            // Some editors begin a text with the mark of its byte order.
            let text = (number == 1 && line.hasPrefix("\u{FEFF}") ? String(line.dropFirst()) : line).trimmed
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
