public import ImageFetching

/// What few requests change.
public struct RequestOptions: Sendable {
    /// Names of headers that hold secrets. Like `Authorization`, `Cookie` and `Proxy-Authorization`, which always count
    /// as secret, they are not sent on to another origin by a redirect. Default none.
    public var sensitiveHeaders: Set<String> = []

    /// Which part of the address identifies the picture, for addresses that are signed anew every time. Default: all.
    public var keyFilter: CacheKeyFilter = .none

    /// What the program does itself on the way, to sign the request or to decrypt the body. Default nothing.
    public var hooks: RequestHooks?

    /// Whether the origin is asked although the same request has failed just now and would fail at once. Default `false`.
    public var ignoresFailures = false

    /// When it is tried again. Default `nil`: as the fetcher's configuration says.
    public var retry: RetryPolicy?

    /// How a picture is shown before all of it has come. Default ``PreviewPolicy/none``.
    public var previews = PreviewPolicy.none

    public init() {}

    var isDefault: Bool {
        sensitiveHeaders.isEmpty && keyFilter == .none && hooks == nil && !ignoresFailures && retry == nil
            && previews == .none
    }
}
