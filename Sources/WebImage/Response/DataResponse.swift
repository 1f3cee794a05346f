public import ByteBuffers

/// The original bytes of a picture and how they got here.
public struct DataResponse: Sendable {
    /// The bytes as they came.
    public let bytes: Bytes
    /// Where they came from.
    public let tier: SourceTier
    /// What each step took.
    public let timings: StageTimings
}
