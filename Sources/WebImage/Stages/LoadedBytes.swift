import ByteBuffers
import ImageFetching
import Synchronization

/// The original bytes of one URL, shared by all pictures that are made of them.
final class LoadedBytes: Sendable {
    let bytes: Bytes
    let tier: SourceTier
    let timings: StageTimings
    /// The head of the response; `nil` for bytes from the disk cache.
    let head: ResponseHead?
    private let isClaimed = Atomic(false)

    init(bytes: Bytes, tier: SourceTier, timings: StageTimings, head: ResponseHead?) {
        self.bytes = bytes
        self.tier = tier
        self.timings = timings
        self.head = head
    }

    /// `true` for the first caller only: one picture's success is enough to keep the bytes, once.
    func claimStore() -> Bool {
        !isClaimed.exchange(true, ordering: .relaxed)
    }
}
