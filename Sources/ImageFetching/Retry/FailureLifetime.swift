/// How long a failure is worth remembering.
///
/// What the server said about the resource holds for a moment; what the network did says nothing about the next
/// attempt. So a picture that is not there is not asked for with every scroll, and one that was asked for in a tunnel
/// comes as soon as the tunnel ends.
package enum FailureLifetime {
    /// Bytes that came and are no picture.
    package static let undecodable: Duration = .seconds(10)

    /// - Parameter wallClock: nanoseconds since 1970, which a `Retry-After` that is a date is compared with.
    /// - Returns: zero for what is not to be remembered.
    ///
    /// 404 and 410: as the response's `max-age` says, at most 60 s and 60 s if it does not (RFC 9110 §15.1 lets both be
    /// kept without a word), nothing for `no-store` and `no-cache`. 429 and 503: their `Retry-After`, at most 30 s.
    /// Other 4xx but 408 and 425, which mean "again": 30 s. Nothing else.
    package static func of(_ error: FetchError, wallClock: Int64) -> Duration {
        guard error.code == .httpStatus, let head = error.head, let status = head.status else { return .zero }
        switch status {
        case 404, 410:
            let control = CacheControl(head.headers)
            guard !control.noStore, !control.noCache else { return .zero }
            return .seconds(min(60, control.maxAge ?? 60))
        case 429, 503: return min(.seconds(30), error.retryAfter(now: wallClock) ?? .zero)
        case 408, 425: return .zero
        case 400...499: return .seconds(30)
        default: return .zero
        }
    }
}
