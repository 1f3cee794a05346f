import ArgumentParser
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which entries the arguments of a command mean.
///
/// A URL means everything that is stored under that address, all variants, whatever headers it was asked with. A file's
/// name, or the first eight of its digits or more, means that file. A host means itself and all hosts below it.
struct EntrySelection {
    /// What an argument means.
    private enum Target {
        case file(prefix: String)
        case address(StoredAddress)
        case host(String)
    }

    private var targets: [(argument: String, target: Target)] = []
    private var matched: Set<Int> = []

    /// - Throws: wrong usage, for an argument that can mean nothing.
    init(_ arguments: [String], hosts: [String] = []) throws(ValidationError) {
        for argument in arguments {
            guard let target = Self.target(argument) else {
                throw ValidationError(
                    "\"\(argument)\" is neither an address, which begins with https:// or http://, nor the name of an entry, "
                        + "of which at least eight digits are needed.")
            }
            targets.append((argument, target))
        }
        for host in hosts {
            guard Self.isHostAlone(host) else {
                let likely = URL(string: host.contains("://") ? host : "http://\(host)")?.host()
                let example = likely.flatMap { Self.isHostAlone($0) ? $0 : nil } ?? "example.com"
                throw ValidationError(
                    "\"\(host)\" is no host of which anything is kept; give the host alone: \(example).")
            }
            targets.append((host, .host(Self.bare(host))))
        }
    }

    /// Whether an entry's host can be that: a name or a number, without scheme, port or path.
    private static func isHostAlone(_ text: String) -> Bool {
        let host = bare(text)
        let isNumber =
            host.split(separator: ":", omittingEmptySubsequences: false).count > 2
            && host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        return isNumber
            || !host.isEmpty && host.first != "."
                && !host.contains { $0.isWhitespace || ":/@?#%*[]\\".contains($0) }
    }

    /// In small letters, and a number of IP version 6 without its brackets.
    private static func bare(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// Whether an entry is meant; notes by which arguments.
    mutating func contains(_ entry: CacheEntrySummary) -> Bool {
        let hits = targets.indices.filter { Self.matches(targets[$0].target, entry) }
        matched.formUnion(hits)
        return !hits.isEmpty
    }

    /// The arguments that meant no entry so far.
    var unmatched: [String] { targets.indices.filter { !matched.contains($0) }.map { targets[$0].argument } }

    private static func target(_ argument: String) -> Target? {
        if argument.contains("://") {
            return URL(string: argument).map { .address(StoredAddress($0)) }
        }
        let digits = argument.lowercased()
        guard (8...64).contains(digits.utf8.count), digits.allSatisfy({ $0.isHexDigit && $0.isASCII }) else {
            return nil
        }
        return .file(prefix: digits)
    }

    private static func matches(_ target: Target, _ entry: CacheEntrySummary) -> Bool {
        switch target {
        case .file(let prefix): entry.fileName.hasPrefix(prefix)
        case .address(let address): address.isAddress(of: entry.metadata)
        case .host(let host): isHost(host, of: entry.metadata["url"] ?? "")
        }
    }

    /// Whether an address as it is stored is the host's, or one of a host below it. There is none below a number.
    static func isHost(_ host: String, of url: String) -> Bool {
        guard let own = URL(string: url.hasSuffix("?…") ? String(url.dropLast(2)) : url)?.host().map(bare) else {
            return false
        }
        let isNumber = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return own == host || (!isNumber && own.hasSuffix(".\(host)"))
    }
}
