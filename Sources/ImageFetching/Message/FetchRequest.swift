#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What to fetch: an address and the header fields that go with it. Always a GET.
public struct FetchRequest: Sendable, Hashable {
    /// An `http:`, `https:`, `file:` or `data:` address, or one of a scheme that an added transport knows.
    ///
    /// A user name and password in an `http:` address are sent as Basic credentials to that origin alone.
    public var url: URL

    /// Fields to send beside those the fetcher adds by itself (`Accept`, `Accept-Encoding`, `User-Agent`). Default none.
    public var headers: HTTPHeaders

    /// Names of further fields that hold secrets. Like `Authorization`, `Cookie` and `Proxy-Authorization`, which
    /// always count as secret, they are not sent on to another origin by a redirect. Default none.
    public var sensitiveHeaders: Set<String>

    /// When this request is tried again. Default nil: as the fetcher's configuration says.
    public var retry: RetryPolicy?

    public init(
        url: URL, headers: HTTPHeaders = HTTPHeaders(), sensitiveHeaders: Set<String> = [], retry: RetryPolicy? = nil
    ) {
        self.url = url
        self.retry = retry
        self.headers = headers
        self.sensitiveHeaders = sensitiveHeaders
    }

    /// Whether "not modified" (304) can be an answer (RFC 9110 §13.1).
    public var isConditional: Bool { headers["If-None-Match"] != nil || headers["If-Modified-Since"] != nil }
}
