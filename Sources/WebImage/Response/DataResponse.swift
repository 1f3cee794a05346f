public import ByteBuffers
public import ImageFetching

/// The original bytes of a picture and how they got here.
public struct DataResponse: Sendable {
    /// The bytes as they came.
    public let bytes: Bytes
    /// Where they came from.
    public let tier: SourceTier
    /// Whether they are still right.
    public let freshness: ResponseFreshness
    /// Why they came from there.
    public let trail: LoadTrail
    /// What each step took.
    public let timings: StageTimings
}
