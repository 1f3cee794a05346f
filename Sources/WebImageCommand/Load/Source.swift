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

    /// The sources in order; `-` stands for the non-empty lines of standard input, and `#` starts a comment there.
    static func list(_ arguments: [String], readLine: () -> String? = { Swift.readLine() }) -> [Source] {
        arguments.flatMap { argument -> [Source] in
            guard argument == "-" else { return [Source(argument)] }
            var sources: [Source] = []
            while let line = readLine() {
                let text = line.trimmed
                if !text.isEmpty, !text.hasPrefix("#") { sources.append(Source(text)) }
            }
            return sources
        }
    }

    /// A short name for progress bars and output files: the last part of the path, without its extension.
    var name: String {
        guard let url, url.scheme?.lowercased() != "data" else { return "data" }
        let last = url.deletingPathExtension().lastPathComponent
        return last.isEmpty || last == "/" ? (url.host() ?? "picture") : last
    }
}

extension String {
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
