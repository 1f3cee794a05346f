/// When something that is cached may be used.
public enum FreshnessRule: Hashable, Sendable {
    /// As HTTP says (RFC 9111, RFC 5861): what is fresh is used, what is stale is validated first, or used while it is
    /// validated where the server allows that. The default.
    case standard
    /// The origin is always asked whether what is cached is still right. A pipeline shows the cached picture meanwhile,
    /// as a provisional one. Only what is fresh and `immutable` is used unasked (RFC 8246 §2).
    case revalidate
    /// Fresh for this long after it came, whatever the response says. Also `no-store` is passed over: what the server
    /// asked not to keep is kept, so use it for servers whose headers are known to be wrong.
    case lifetime(Duration)
    /// The origin is never asked. What is cached is used however old it is, and marked as stale where it is.
    case cacheOnly
    /// What is cached is not used; the answer is kept.
    case networkOnly
}

/// How right something that came from a cache is.
public enum ResponseFreshness: String, Hashable, Sendable, CaseIterable {
    /// It came from its source just now, or is still fresh.
    case fresh
    /// The origin has confirmed it just now.
    case revalidated
    /// It may be out of date: the origin could not be asked, was not to be asked, or is being asked now.
    case stale
}
