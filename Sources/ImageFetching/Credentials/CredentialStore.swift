#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which credential goes to which server. A value; never prints a secret.
///
/// ```swift
/// var credentials = CredentialStore()
/// credentials.set(try .bearer(token), forHost: "images.example.com")
/// ```
///
/// A rule for an origin counts more than one for its host, and a user name in the URL more than both. Names are exact:
/// a rule for `example.com` says nothing of `www.example.com`.
public struct CredentialStore: Sendable, Hashable {
    private struct HostRule: Hashable {
        let credential: Credential
        let allowsPlainHTTP: Bool
    }

    private var origins: [CredentialOrigin: Credential] = [:]
    private var hosts: [String: HostRule] = [:]

    /// No rule.
    public init() {}

    public var isEmpty: Bool { origins.isEmpty && hosts.isEmpty }

    /// Sets the credential of a scheme, host and port, those of an address whose path does not matter. Nil removes it.
    ///
    /// An `http:` address is taken at its word: the secret then travels for everybody on the way to read.
    /// An address that is neither `http:` nor `https:` has no effect.
    public mutating func set(_ credential: Credential?, forOriginOf url: URL) {
        if let origin = CredentialOrigin(url) { origins[origin] = credential }
    }

    /// Sets the credential of a host at whatever port. Nil removes it.
    ///
    /// - Parameters:
    ///   - host: a name or an IP address, compared without regard to case. An IPv6 address has no brackets.
    ///   - allowsPlainHTTP: whether it is also sent over `http:`, for everybody on the way to read. Default false.
    public mutating func set(_ credential: Credential?, forHost host: String, allowsPlainHTTP: Bool = false) {
        hosts[CredentialOrigin.canonical(host)] = credential.map {
            HostRule(credential: $0, allowsPlainHTTP: allowsPlainHTTP)
        }
    }

    /// The credential for an address; nil when there is none, or the address has a user name of its own.
    public func credential(for url: URL) -> Credential? {
        guard let origin = CredentialOrigin(url), url.user == nil else { return nil }
        if let credential = origins[origin] { return credential }
        guard let rule = hosts[origin.host], origin.scheme == "https" || rule.allowsPlainHTTP else { return nil }
        return rule.credential
    }

    /// The value of the `Authorization` field for an address; nil when there is nothing to send.
    public func authorization(for url: URL) -> String? { credential(for: url)?.authorization }

    /// What tells the credential for an address from another one, for keys of caches; nil when there is none.
    ///
    /// 64 hexadecimal digits, the same in every process: the SHA-256 of what is sent. Who reads it cannot read the
    /// secret, but can try guesses at a weak password; keep it where the cache is.
    public func fingerprint(for url: URL) -> String? {
        credential(for: url).map { Fingerprint.of($0.authorization) }
    }
}

extension CredentialStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of rules.
    public var description: String { "\(origins.count + hosts.count) credentials" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Scheme, host and port (RFC 6454 §4).
private struct CredentialOrigin: Hashable {
    let scheme: String
    let host: String
    let port: Int

    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = url.host,
            !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = Self.canonical(host)
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    static func canonical(_ host: String) -> String { host.lowercased() }
}
