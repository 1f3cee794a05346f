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

    init(_ url: URL) {
        let text = url.absoluteString.prefix { $0 != "#" }
        guard let mark = text.firstIndex(of: "?") else {
            base = text
            items = nil
            return
        }
        base = text[..<mark]
        items = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    }

    var whole: String { text { _ in true } }

    /// With the items whose names are wanted. A query of which nothing stays goes with its question mark.
    func text(where isWanted: (String) -> Bool) -> String {
        guard let items else { return String(base) }
        let kept = items.filter { isWanted(Self.name(of: $0)) }
        return kept.isEmpty ? String(base) : "\(base)?\(kept.joined(separator: "&"))"
    }

    /// Without the items of the signatures that it has.
    func unsigned(_ signatures: [URLSignature]) -> String {
        let names = Set((items ?? []).map(Self.name))
        let dropped = signatures.filter { $0.marks.isSubset(of: names) }.reduce(into: Set<String>()) {
            $0.formUnion($1.items)
        }
        return text { !dropped.contains($0) }
    }

    private static func name(of item: Substring) -> String { String(item.prefix { $0 != "=" }) }
}
