/// What is to be done with a stored response, and why.
public struct CachingDecision: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// Use it.
        case serve
        /// Use it now, and ask the origin in the background.
        case serveAndRevalidate
        /// Ask the origin, with ``CachingDecision/validators`` if there are any.
        case validate
        /// Ask the origin as if nothing were stored.
        case fetch
        /// There is nothing that may be used, and the origin is not to be asked.
        case refuse
    }

    public let action: Action
    public let reason: CachingReason
    /// The conditions to send (RFC 9110 §13.1).
    public let validators: HTTPHeaders

    /// Whether what is used is fresh.
    public var freshness: ResponseFreshness {
        switch reason {
        case .fresh, .immutable, .withinOwnLifetime: .fresh
        default: .stale
        }
    }

    init(_ action: Action, _ reason: CachingReason, validators: HTTPHeaders = HTTPHeaders()) {
        self.action = action
        self.reason = reason
        self.validators = validators
    }
}

/// Why a cached response is used or not. Durations are in whole seconds.
public enum CachingReason: Hashable, Sendable, CustomStringConvertible {
    case nothingStored
    case otherVariant
    case cacheNotWanted
    case fresh(for: Int64)
    case immutable
    case withinOwnLifetime
    case ownLifetimeOver
    case stale(since: Int64)
    case staleWhileRevalidating(since: Int64)
    case staleAccepted(since: Int64)
    case staleOffline(since: Int64)
    case mustAsk
    case asked

    public var description: String {
        switch self {
        case .nothingStored: "nothing was stored"
        case .otherVariant: "what was stored answers another request (Vary)"
        case .cacheNotWanted: "the cache was not to be used"
        case .fresh(let seconds): "fresh for another \(seconds) s"
        case .immutable: "fresh, and said to be immutable"
        case .withinOwnLifetime: "within the lifetime that the request gives it"
        case .ownLifetimeOver: "older than the lifetime that the request gives it"
        case .stale(let seconds): "stale for \(seconds) s"
        case .staleWhileRevalidating(let seconds):
            "stale for \(seconds) s, usable while the origin is asked (stale-while-revalidate)"
        case .staleAccepted(let seconds): "stale for \(seconds) s, which the request accepts"
        case .staleOffline(let seconds): "stale for \(seconds) s, and the origin was not to be asked"
        case .mustAsk: "the response may not be used unasked (no-cache)"
        case .asked: "the request asks the origin in any case"
        }
    }
}
