import SystemThreads

/// HTTP's rules for a private cache, as functions without state (RFC 9111, RFC 5861, RFC 8246).
public enum HTTPCaching {
    /// What is to be done for a request, given what is stored (RFC 9111 §4).
    ///
    /// - Parameters:
    ///   - stored: `nil` when nothing is.
    ///   - now: nanoseconds since 1970.
    public static func decide(
        _ stored: StoredResponse?, for request: FetchRequest, rule: FreshnessRule, now: Int64
    ) -> CachingDecision {
        let wishes = CacheControl(request.headers)
        if rule == .networkOnly { return CachingDecision(.fetch, .cacheNotWanted) }
        let isOffline = rule == .cacheOnly || wishes.onlyIfCached
        guard let stored, stored.matches(request) else {
            let reason: CachingReason = stored == nil ? .nothingStored : .otherVariant
            return CachingDecision(isOffline ? .refuse : .fetch, reason)
        }
        let left = stored.freshness(at: now)
        let isFresh = left > 0 && !stored.directives.noCache
        if rule == .cacheOnly {
            return CachingDecision(
                .serve, isFresh ? .fresh(for: left.seconds) : .staleOffline(since: max(0, -left).seconds))
        }
        if case .lifetime(let lifetime) = rule {
            let age = now.minusSaturating(stored.responseTime), limit = lifetime.clampedNanoseconds
            // A clock that was set back further than the lifetime says nothing of the age.
            if max(0, age) < limit, age >= Int64(0).minusSaturating(limit) {
                return CachingDecision(.serve, .withinOwnLifetime)
            }
            return isOffline ? CachingDecision(.refuse, .ownLifetimeOver) : ask(stored, .ownLifetimeOver)
        }
        // It was kept for a request that passes over what the server asked.
        if stored.directives.noStore { return CachingDecision(isOffline ? .refuse : .fetch, .nothingStored) }
        if isFresh, rule == .revalidate, stored.directives.immutable, !wishes.noCache {
            return CachingDecision(.serve, .immutable)
        }
        if rule == .revalidate || wishes.noCache { return isOffline ? refuse(.asked) : ask(stored, .asked) }
        if stored.directives.noCache { return isOffline ? refuse(.mustAsk) : ask(stored, .mustAsk) }
        return standard(stored, wishes, left, isOffline, now)
    }

    private static func standard(
        _ stored: StoredResponse, _ wishes: CacheControl, _ left: Int64, _ isOffline: Bool, _ now: Int64
    ) -> CachingDecision {
        let minFresh = StoredResponse.nanoseconds(wishes.minFresh ?? 0)
        let isYoung = wishes.maxAge.map { stored.age(at: now) <= StoredResponse.nanoseconds($0) } ?? true
        if left > 0, left >= minFresh, isYoung { return CachingDecision(.serve, .fresh(for: left.seconds)) }
        let since = max(0, Int64(0).minusSaturating(left))
        // A clock that was set back says nothing of how stale it is.
        let isKnown = stored.responseTime <= now || left > 0
        if isKnown, !stored.directives.mustRevalidate, wishes.minFresh == nil, isYoung {
            if let accepted = wishes.maxStale, since <= StoredResponse.nanoseconds(accepted) {
                return CachingDecision(.serve, .staleAccepted(since: since.seconds))
            }
            // A client that says how old or how stale is refused more than that (RFC 9111 §5.2.1.1, §5.2.1.2).
            if !isOffline, wishes.maxAge == nil, wishes.maxStale == nil,
                let window = stored.directives.staleWhileRevalidate,
                since < StoredResponse.nanoseconds(window)
            {
                return CachingDecision(
                    .serveAndRevalidate, .staleWhileRevalidating(since: since.seconds), validators: stored.validators)
            }
        }
        return isOffline ? refuse(.stale(since: since.seconds)) : ask(stored, .stale(since: since.seconds))
    }

    private static func ask(_ stored: StoredResponse, _ reason: CachingReason) -> CachingDecision {
        CachingDecision(.validate, reason, validators: stored.validators)
    }

    private static func refuse(_ reason: CachingReason) -> CachingDecision { CachingDecision(.refuse, reason) }

    /// Whether a stale response may be used because the origin gave no answer.
    ///
    /// Where no connection could be made: unless the response or the request forbids it (RFC 9111 §4.2.4). Where the
    /// server answered that it cannot answer, with 500, 502, 503 or 504: within the `stale-if-error` of either (RFC 5861
    /// §4). Never for anything else: a 404 is an answer.
    public static func mayServeStale(
        _ stored: StoredResponse, for request: FetchRequest, after error: FetchError, now: Int64
    ) -> Bool {
        let wishes = CacheControl(request.headers)
        guard !stored.directives.mustRevalidate, !stored.directives.noCache, !wishes.noCache else { return false }
        let wished = stored.freshUntil.plusSaturating(StoredResponse.nanoseconds(wishes.staleIfError ?? 0))
        let isWithin = now < max(stored.usableInsteadOfErrorUntil, wished)
        if let status = error.statusCode { return [500, 502, 503, 504].contains(status) && isWithin }
        if error.code == .originUnavailable { return isWithin }
        return [.dns, .connectionFailed, .connectionLost, .timeout, .truncatedBody].contains(error.code)
    }
}

extension StoredResponse {
    /// RFC 9110 §13.1.2 and §13.1.3: the tag as it came, weak or strong, and the date.
    var validators: HTTPHeaders {
        var validators = HTTPHeaders()
        if let tag = headers["etag"] { validators.append("If-None-Match", tag) }
        if let date = headers["last-modified"] { validators.append("If-Modified-Since", date) }
        return validators
    }
}

extension Int64 {
    /// Nanoseconds as whole seconds.
    fileprivate var seconds: Int64 { self / StoredResponse.second }
}
