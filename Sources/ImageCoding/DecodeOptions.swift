public import Pixels

/// How one picture is decoded.
public struct DecodeOptions: Sendable {
    /// The smallest stored size that is good enough, `nil` for full size. In stored axes: before orientation.
    ///
    /// A decoder that can scale while it decodes may deliver any size from this one up to the full size, in the
    /// picture's own shape. One that cannot delivers the full size.
    public var minimumSize: PixelSize?

    /// Where EXIF carries a thumbnail of the picture's shape that is at least ``minimumSize``, it is decoded in the picture's
    /// place. Default `false`: a thumbnail may be older than the picture, and is compressed more.
    public var usesEmbeddedThumbnail: Bool

    /// Default ``ColorHandling/sRGB``.
    public var color: ColorHandling

    /// Default ``DecodedDepth/eightBits``.
    public var depth: DecodedDepth

    /// Default ``DecodeLimits/default``.
    public var limits: DecodeLimits

    /// Asked at least once for every strip of rows; `false` ends the decode with ``CodingError/Code/cancelled``.
    public var shouldContinue: @Sendable () -> Bool

    /// When the decode has to be over. The registry starts it; a decoder that is called by itself has none.
    package var deadline: DecodeDeadline?

    public init(
        minimumSize: PixelSize? = nil, usesEmbeddedThumbnail: Bool = false, color: ColorHandling = .sRGB,
        depth: DecodedDepth = .eightBits,
        limits: DecodeLimits = .default,
        shouldContinue: @escaping @Sendable () -> Bool = { true }
    ) {
        self.minimumSize = minimumSize
        self.usesEmbeddedThumbnail = usesEmbeddedThumbnail
        self.color = color
        self.depth = depth
        self.limits = limits
        self.shouldContinue = shouldContinue
    }

    /// - Throws: ``CodingError`` with `cancelled` when the caller asked to stop, `tookTooLong` behind the deadline.
    package func checkCancellation() throws(CodingError) {
        guard shouldContinue() else { throw CodingError(.cancelled, "The decode was cancelled.") }
        try deadline?.check()
    }

    /// The same, to be over when ``DecodeLimits/maxDuration`` has passed from now.
    package func started(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) -> DecodeOptions {
        var started = self
        started.deadline = deadline ?? DecodeDeadline(after: limits.maxDuration, now: now)
        return started
    }
}
