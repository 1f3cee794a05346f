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
