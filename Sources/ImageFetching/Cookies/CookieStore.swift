/// What a jar holds, and which cookie gets in, out and sent (RFC 6265 §5.3 and §5.4). A value.
struct CookieStore: Sendable {
    static let maxPerDomain = 50
    static let maxCookies = 3_000
    /// The longest life, whatever a server says: 400 days (RFC 6265bis §5.5).
    static let maxLife: Int64 = 400 * 86_400

    private struct Entry {
        var cookie: Cookie
        /// When it was made and when it was last sent, on a clock that counts events.
        let created: UInt64
        var used: UInt64
    }

    private var domains: [String: [Entry]] = [:]
    private var clock: UInt64 = 0
    private(set) var count = 0

    /// Takes one field; nothing happens when the rules forbid the cookie. One that expired already removes its kin.
    mutating func insert(_ field: SetCookie, from place: CookiePlace, now: Int64) {
        guard let cookie = Self.cookie(field, from: place, now: now), mayReplace(cookie, from: place) else { return }
        clock += 1
        var entries = domains[cookie.domain] ?? []
        let old = entries.firstIndex { cookie.replaces($0.cookie) }
        let created = old.map { entries[$0].created } ?? clock
        if let old { entries.remove(at: old) }
        if !cookie.isExpired(at: now) { entries.append(Entry(cookie: cookie, created: created, used: clock)) }
        put(entries, for: cookie.domain)
        if entries.count > Self.maxPerDomain { trimDomain(cookie.domain, now: now) }
        if count > Self.maxCookies { trim(now: now) }
    }

    /// What is sent, in order; marks it as used.
    mutating func cookies(for place: CookiePlace, now: Int64) -> [Cookie] {
        var found: [Entry] = []
        for domain in place.domains {
            guard var entries = domains[domain] else { continue }
            if entries.contains(where: { $0.cookie.isExpired(at: now) }) {
                entries.removeAll { $0.cookie.isExpired(at: now) }
                put(entries, for: domain)
            }
            for index in entries.indices where Self.goes(entries[index].cookie, to: place) {
                clock += 1
                domains[domain]?[index].used = clock
                found.append(entries[index])
            }
        }
        found.sort {
            let (left, right) = ($0.cookie.path.utf8.count, $1.cookie.path.utf8.count)
            return left == right ? $0.created < $1.created : left > right
        }
        return found.map(\.cookie)
    }

    private static func goes(_ cookie: Cookie, to place: CookiePlace) -> Bool {
        (cookie.isHostOnly ? place.host == cookie.domain : CookiePlace.domain(place.host, matches: cookie.domain))
            && (place.isSecure || !cookie.isSecure) && CookiePlace.path(place.path, matches: cookie.path)
    }

    /// The cookie that a field makes; nil when it may not.
    private static func cookie(_ field: SetCookie, from place: CookiePlace, now: Int64) -> Cookie? {
        guard !field.name.isEmpty else { return nil }
        // For its own host, a name without a dot and an address mean nothing else than no domain at all.
        let isHostOnly = field.domain.isEmpty || (field.domain == place.host && isWhole(field.domain))
        if !isHostOnly {
            guard !isWhole(field.domain), CookiePlace.domain(place.host, matches: field.domain) else { return nil }
        }
        guard !field.isSecure || place.isSecure else { return nil }
        let name = field.name.lowercased()
        if name.hasPrefix("__secure-") || name.hasPrefix("__host-") {
            guard field.isSecure else { return nil }
        }
        if name.hasPrefix("__host-") {
            guard field.domain.isEmpty, field.path == "/" else { return nil }
        }
        return Cookie(
            name: field.name, value: field.value, domain: isHostOnly ? place.host : field.domain,
            isHostOnly: isHostOnly, path: field.path ?? place.defaultPath, isSecure: field.isSecure,
            isHTTPOnly: field.isHTTPOnly, expires: expiry(field, now: now))
    }

    /// Whether a domain stands for nobody below it: one label, like a top-level domain, or an IP address.
    private static func isWhole(_ domain: String) -> Bool {
        !domain.contains(".") || CookiePlace.isIPAddress(domain)
    }

    /// `Max-Age` counts more than `Expires` (RFC 6265 §5.3 step 3).
    private static func expiry(_ field: SetCookie, now: Int64) -> Int64? {
        let latest = now.addingReportingOverflow(maxLife)
        let limit = latest.overflow ? Int64.max : latest.partialValue
        guard let age = field.maxAge else { return field.expires.map { min($0, limit) } }
        guard age > 0 else { return .min }
        return age < maxLife ? limit - maxLife + age : limit
    }

    /// RFC 6265bis §5.7: over http nobody may put a cookie in the place of a secure one.
    private func mayReplace(_ cookie: Cookie, from place: CookiePlace) -> Bool {
        guard !place.isSecure else { return true }
        return !domains.contains { domain, entries in
            (CookiePlace.domain(domain, matches: cookie.domain) || CookiePlace.domain(cookie.domain, matches: domain))
                && entries.contains {
                    $0.cookie.isSecure && $0.cookie.name == cookie.name
                        && CookiePlace.path(cookie.path, matches: $0.cookie.path)
                }
        }
    }

    private mutating func put(_ entries: [Entry], for domain: String) {
        count += entries.count - (domains[domain]?.count ?? 0)
        domains[domain] = entries.isEmpty ? nil : entries
    }

    /// RFC 6265 §5.3: first what expired, then what was not used for longest.
    private mutating func trimDomain(_ domain: String, now: Int64) {
        var entries = domains[domain] ?? []
        entries.removeAll { $0.cookie.isExpired(at: now) }
        while entries.count > Self.maxPerDomain,
            let oldest = entries.indices.min(by: { entries[$0].used < entries[$1].used })
        {
            entries.remove(at: oldest)
        }
        put(entries, for: domain)
    }

    private mutating func trim(now: Int64) {
        for domain in Array(domains.keys) {
            put((domains[domain] ?? []).filter { !$0.cookie.isExpired(at: now) }, for: domain)
        }
        while count > Self.maxCookies {
            let ages = domains.compactMap { domain, entries in
                entries.map(\.used).min().map { (used: $0, domain: domain) }
            }
            guard let oldest = ages.min(by: { $0.used < $1.used }) else { return }
            put((domains[oldest.domain] ?? []).filter { $0.used != oldest.used }, for: oldest.domain)
        }
    }
}
