#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What of an address matters to cookies.
struct CookiePlace: Sendable {
    /// In lower case, without a dot at its end.
    let host: String
    let path: String
    let isSecure: Bool

    /// Nil for an address that is not one of HTTP.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            var host = url.host?.lowercased(), !host.isEmpty
        else { return nil }
        if host.hasSuffix(".") { host.removeLast() }
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        self.init(host: host, path: path.isEmpty ? "/" : path, isSecure: scheme == "https")
    }

    init(host: String, path: String, isSecure: Bool) {
        self.host = host
        self.path = path
        self.isSecure = isSecure
    }

    /// RFC 6265 §5.1.4: up to the last slash, without it.
    var defaultPath: String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The domains whose cookies may match: the host, and every one above it.
    var domains: [String] {
        guard !Self.isIPAddress(host) else { return [host] }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }

    /// RFC 6265 §5.1.3.
    static func domain(_ host: String, matches domain: String) -> Bool {
        host == domain || (host.hasSuffix(".\(domain)") && !isIPAddress(host))
    }

    /// RFC 6265 §5.1.4.
    static func path(_ path: String, matches prefix: String) -> Bool {
        let (path, prefix) = (path.utf8, prefix.utf8)
        guard path.starts(with: prefix) else { return false }
        return path.count == prefix.count || prefix.last == UInt8(ascii: "/")
            || path[path.index(path.startIndex, offsetBy: prefix.count)] == UInt8(ascii: "/")
    }

    /// IPv6, or IPv4 in any way that resolvers read: a last label that is a number makes the host one, as no top-level
    /// domain does (RFC 3696 §2).
    static func isIPAddress(_ host: String) -> Bool {
        if host.contains(":") { return true }
        guard let last = host.split(separator: ".").last else { return false }
        return last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.hasPrefix("0x")
    }
}
