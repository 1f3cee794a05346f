#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension URL {
    /// The address for messages and logs: no user name, no password, a query only as `?…`, no fragment, and no more
    /// than the start of a `data:` URL.
    package var redacted: String {
        let scheme = (self.scheme ?? "").lowercased()
        if scheme == "data" { return "data:…" }
        // Nearly all addresses have neither user nor password, and are not worth being taken apart.
        let whole = absoluteString
        let end = whole.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? whole.endIndex
        if !whole[..<end].utf8.contains(UInt8(ascii: "@")) {
            let hasQuery = whole[end...].utf8.first == UInt8(ascii: "?")
            return hasQuery ? whole[..<end] + "?…" : String(whole[..<end])
        }
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "\(scheme):…" }
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        let hasQuery = parts.percentEncodedQuery != nil
        parts.percentEncodedQuery = nil
        guard let text = parts.string else { return "\(scheme):…" }
        return hasQuery ? text + "?…" : text
    }
}
