import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which entries the arguments of a command mean.
///
/// A URL means what a plain request for it has stored, with all its variants, and, when it has no query, everything else
/// that is stored under that address, whatever headers it was asked with. An address is stored without its query, so of one
/// with a query only the plain request's entries can be told from those of other queries. A file's name, or the first
/// eight of its digits or more, means that file. A host means itself and all hosts below it.
struct EntrySelection {
    /// What an argument means.
    private enum Target {
        case file(prefix: String)
        case address(text: String?, files: Set<String>)
        case host(String)
    }

    /// An argument that can mean nothing.
    struct Unusable: Error, CustomStringConvertible {
        let argument: String

        var description: String { "\(argument) is neither a URL nor the name of an entry" }
    }

    private var targets: [(argument: String, target: Target)] = []
    private var matched: Set<Int> = []

    init(_ arguments: [String], hosts: [String] = [], in cache: DiskCache) throws(Unusable) {
        for argument in arguments {
            guard let target = Self.target(argument, cache) else { throw Unusable(argument: argument) }
            targets.append((argument, target))
        }
        for host in hosts { targets.append((host, .host(host.lowercased()))) }
    }

    /// Whether an entry is meant; notes by which arguments.
    mutating func contains(_ entry: CacheEntrySummary) -> Bool {
        let url = entry.metadata["url"] ?? ""
        let hits = targets.indices.filter { Self.matches(targets[$0].target, entry.fileName, url) }
        matched.formUnion(hits)
        return !hits.isEmpty
    }

    /// The arguments that meant no entry so far.
    var unmatched: [String] { targets.indices.filter { !matched.contains($0) }.map { targets[$0].argument } }

    private static func target(_ argument: String, _ cache: DiskCache) -> Target? {
        if argument.contains("://") {
            guard let url = URL(string: argument) else { return nil }
            let request = ImageRequest(url: url)
            let text = url.redacted
            return .address(
                text: text.hasSuffix("?…") ? nil : text, files: Set(request.storedFileNames(in: cache)))
        }
        let digits = argument.lowercased()
        guard (8...64).contains(digits.utf8.count), digits.allSatisfy({ $0.isHexDigit && $0.isASCII }) else {
            return nil
        }
        return .file(prefix: digits)
    }

    private static func matches(_ target: Target, _ file: String, _ url: String) -> Bool {
        switch target {
        case .file(let prefix): file.hasPrefix(prefix)
        case .address(let text, let files): files.contains(file) || (text != nil && text == url)
        case .host(let host): isHost(host, of: url)
        }
    }

    /// Whether an address as it is stored is the host's, or one of a host below it. There is none below a number.
    static func isHost(_ host: String, of url: String) -> Bool {
        guard let own = URL(string: url.hasSuffix("?…") ? String(url.dropLast(2)) : url)?.host()?.lowercased() else {
            return false
        }
        let isNumber = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return own == host || (!isNumber && own.hasSuffix(".\(host)"))
    }
}
