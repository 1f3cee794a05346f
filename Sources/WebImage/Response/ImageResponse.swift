public import ImageCoding
public import ImageFetching
public import Pixels

/// A loaded picture and how it got here.
public struct ImageResponse: Sendable {
    /// The pixels: upright, in the wanted size.
    public let bitmap: Bitmap
    /// The picture as it moves, for requests that want it (``RequestOptions/animation``); `nil` when it does not move, or
    /// when only one of its frames can be decoded. ``bitmap`` is its first frame. Whoever loads the same picture in the same
    /// way gets the same object for as long as it is in memory, and shares its frames.
    public let animation: AnimatedImage?
    /// What the original's header says; its size may be larger than the bitmap's.
    public let info: ImageInfo
    /// How many bytes the original has.
    public let byteCount: Int
    /// Where it came from.
    public let tier: SourceTier
    /// Whether it is still right. A picture that the origin has just confirmed comes from the tier `disk` and is
    /// `revalidated`.
    public let freshness: ResponseFreshness
    /// Why it came from there.
    public let trail: LoadTrail
    /// What each step took.
    public let timings: StageTimings
}
