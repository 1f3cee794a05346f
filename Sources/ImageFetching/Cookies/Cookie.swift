/// One cookie as a jar keeps it.
public struct Cookie: Sendable, Hashable {
    public let name: String
    /// As it came: quotes and escapes are a part of it.
    public let value: String
    /// The host it came from, or the wider domain that the host named. In lower case, without a dot in front.
    public let domain: String
    /// Whether it goes to that host alone and not to the hosts below it.
    public let isHostOnly: Bool
    public let path: String
    /// Whether it goes over https alone.
    public let isSecure: Bool
    /// Whether the server wants it kept from scripts. Means nothing to a loader.
    public let isHTTPOnly: Bool
    /// Seconds since 1970; nil for a cookie without an end, which a jar in memory keeps until the process ends.
    public let expires: Int64?

    func isExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether it replaces another (RFC 6265 §5.3 step 11, with the host-only flag of RFC 6265bis).
    func replaces(_ other: Cookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path && isHostOnly == other.isHostOnly
    }
}

extension Cookie: CustomStringConvertible {
    /// Without the value, which may be a secret.
    public var description: String { "\(name)=… for \(isHostOnly ? "" : "*.")\(domain)\(path)" }
}
