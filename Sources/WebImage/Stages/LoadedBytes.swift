import ByteBuffers
import ImageFetching
import Synchronization

/// The original bytes of one URL, shared by all pictures that are made of them.
///
/// While it lives, its bytes count as undecoded.
final class LoadedBytes: Sendable {
    let bytes: Bytes
    let tier: SourceTier
    let timings: StageTimings
    /// The head of the response; `nil` for bytes from the disk cache.
    let head: ResponseHead?
    private let claim: Backlog.Claim
    private let isClaimed = Atomic(false)

    init(bytes: Bytes, tier: SourceTier, timings: StageTimings, head: ResponseHead?, claim: Backlog.Claim) {
        self.bytes = bytes
        self.tier = tier
        self.timings = timings
        self.head = head
        self.claim = claim
    }

    /// What a task that began at `startedAt` gets.
    func response(startedAt: ContinuousClock.Instant, now: ContinuousClock.Instant) -> DataResponse {
        var timings = timings
        timings.total = now - startedAt
        return DataResponse(bytes: bytes, tier: tier, timings: timings)
    }

    /// `true` for the first caller only: one picture's success is enough to keep the bytes, once.
    func claimStore() -> Bool {
        !isClaimed.exchange(true, ordering: .relaxed)
    }
}
