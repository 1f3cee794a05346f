public import ImageCoding
public import ImageFetching
public import Pixels

/// A loaded picture and how it got here.
public struct ImageResponse: Sendable {
    // One reference for all that is the picture's own: responses are copied often, and most of it is seldom read.
    private let picture: CachedPicture
    /// The pixels: upright, in the wanted size.
    public var bitmap: Bitmap { picture.bitmap }
    /// The picture as it moves, for requests that want it (``RequestOptions/animation``); `nil` when it does not move, or
    /// when only one of its frames can be decoded. ``bitmap`` is its first frame. Whoever loads the same picture in the same
    /// way gets the same object for as long as it is in memory, and shares its frames.
    public var animation: AnimatedImage? { picture.animation }
    /// What the original's header says; its size may be larger than the bitmap's.
    public var info: ImageInfo { picture.info }
    /// How many bytes the original has.
    public var byteCount: Int { picture.byteCount }
    /// Where it came from.
    public let tier: SourceTier
    /// Whether it is still right. A picture that the origin has just confirmed comes from the tier `disk` and is
    /// `revalidated`.
    public let freshness: ResponseFreshness
    /// Why it came from there.
    public let trail: LoadTrail
    /// What each step took.
    public let timings: StageTimings

    init(
        _ picture: CachedPicture, tier: SourceTier, freshness: ResponseFreshness, trail: LoadTrail,
        timings: StageTimings
    ) {
        self.picture = picture
        self.tier = tier
        self.freshness = freshness
        self.trail = trail
        self.timings = timings
    }
}
