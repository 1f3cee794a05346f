public import ImageCoding
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

    /// What becomes of the picture's colours. Default `ColorHandling.sRGB`. Kept colours are what the response's
    /// ``ImageResponse/info`` says of them; they are not kept as results on disk.
    public var color = ColorHandling.sRGB

    /// The most bytes of pixels that the decoded picture may have. One that would have more is decoded smaller, in its own
    /// shape. Default `nil`: as large as it is, within the request's limits.
    public var byteLimit: Int?

    /// Whether a thumbnail that the file carries may stand in for the picture where it is large enough. Default `false`: it
    /// may be older than the picture.
    public var usesEmbeddedThumbnail = false

    /// How a picture is shown before all of it has come. Default ``PreviewPolicy/none``.
    public var previews = PreviewPolicy.none

    /// What becomes of a picture that moves. Default ``AnimationPolicy/still``.
    public var animation = AnimationPolicy.still

    public init() {}

    var isDefault: Bool {
        sensitiveHeaders.isEmpty && keyFilter == .none && hooks == nil && !ignoresFailures && retry == nil
            && previews == .none && animation == .still && color == .sRGB && byteLimit == nil
            && !usesEmbeddedThumbnail
    }
}
