import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Cookies in memory, by the rules of RFC 6265 §5 with the stricter ones of its revision (RFC 6265bis): what is secure
/// is neither sent nor overwritten without https, and `__Secure-` and `__Host-` in front of a name are honoured.
///
/// There is no cookie unless a jar is given to a fetcher, and nothing is written anywhere. A jar knows no list of public
/// suffixes: it refuses a cookie for a whole top-level domain ("com"), but not one for "co.uk". So do not share a jar
/// between services that must not see each other. `SameSite` has no meaning here, as there is no page that asks.
public final class CookieJar: Sendable {
    private let store: Mutex<CookieStore>

    /// An empty jar for 50 cookies a domain and 3,000 in all; beyond that the ones go that were not sent for longest.
    public init() {
        store = Mutex(CookieStore())
    }

    /// Takes the `Set-Cookie` fields of a response. What the rules forbid is passed over.
    ///
    /// - Parameters:
    ///   - url: the address that was asked, not the one that it redirects to.
    ///   - now: seconds since 1970.
    public func store(_ head: ResponseHead, from url: URL, now: Int64) {
        store(head.headers.values(for: "Set-Cookie"), from: url, now: now)
    }

    /// Takes the values of `Set-Cookie` fields.
    public func store(_ lines: [String], from url: URL, now: Int64) {
        guard !lines.isEmpty, let place = CookiePlace(url) else { return }
        store.withLock { store in
            for line in lines { store.insert(SetCookie(line), from: place, now: now) }
        }
    }

    /// The value of the `Cookie` field for a request; nil when there is none to send.
    ///
    /// - Parameter now: seconds since 1970.
    public func header(for url: URL, now: Int64) -> String? {
        let cookies = cookies(for: url, now: now)
        return cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// The cookies for a request in the order in which they are sent: longer paths first, then older cookies first.
    public func cookies(for url: URL, now: Int64) -> [Cookie] {
        guard let place = CookiePlace(url) else { return [] }
        return store.withLock { $0.cookies(for: place, now: now) }
    }

    /// How many cookies are kept, expired ones among them that nobody asked about since.
    public var count: Int { store.withLock { $0.count } }

    public func removeAll() {
        store.withLock { $0 = CookieStore() }
    }
}
