#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An address as text, cut where RFC 3986 §3 cuts it and not changed otherwise. Without its fragment.
struct AddressText {
    /// What stands before the query.
    let base: Substring
    /// The items of the query as they are written; nil without a query.
    private let items: [Substring]?

    /// All of an address but its fragment.
    static func whole(_ url: URL) -> String {
        let text = url.absoluteString
        let end = fragment(of: text)
        return end == text.endIndex ? text : String(text[..<end])
    }

    /// Where the fragment begins. An address has ASCII only (RFC 3986 §2), and data: ones can be long: its bytes do for its
    /// characters.
    private static func fragment(of text: String) -> String.Index {
        let mark = UInt8(ascii: "#")
        let isThere = text.utf8.withContiguousStorageIfAvailable { $0.contains(mark) } ?? true
        return isThere ? text.utf8.firstIndex(of: mark) ?? text.endIndex : text.endIndex
    }

    init(_ url: URL) {
        let text = url.absoluteString
        let end = Self.fragment(of: text)
        guard let mark = text.utf8[..<end].firstIndex(of: UInt8(ascii: "?")) else {
            base = text[..<end]
            items = nil
            return
        }
        base = text[..<mark]
        items = text[..<end].utf8[text.utf8.index(after: mark)...]
            .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map(Substring.init)
    }

    /// With the items whose names are wanted. A query of which nothing stays goes with its question mark.
    func text(where isWanted: (String) -> Bool) -> String {
        guard let items else { return String(base) }
        let kept = items.filter { isWanted(Self.name(of: $0)) }
        return kept.isEmpty ? String(base) : "\(base)?\(kept.joined(separator: "&"))"
    }

    /// Without the items of the signatures that it has.
    func unsigned(_ signatures: [URLSignature]) -> String {
        guard let items else { return String(base) }
        let names = Set(items.map(Self.name))
        let dropped = signatures.filter { $0.marks.isSubset(of: names) }.reduce(into: Set<String>()) {
            $0.formUnion($1.items)
        }
        return text { !dropped.contains($0) }
    }

    private static func name(of item: Substring) -> String { String(item.prefix { $0 != "=" }) }
}
