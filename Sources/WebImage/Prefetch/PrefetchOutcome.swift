/// How one item of a batch of prefetches ended.
public struct PrefetchOutcome: Sendable {
    /// Its place in ``PrefetchBatch/requests``.
    public let index: Int
    /// Where it came from on its way into the caches, or why it is not there.
    public let result: Result<SourceTier, ImageError>
}
