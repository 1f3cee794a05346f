import ByteBuffers
import ImageCaching
import ImageFetching
import Synchronization

/// The original bytes of one URL, shared by all pictures that are made of them.
///
/// While it lives, its bytes count as undecoded.
final class LoadedBytes: Sendable {
    /// What is known of bytes besides themselves.
    struct Description: Sendable {
        var tier: SourceTier
        var freshness = ResponseFreshness.fresh
        var validity = Validity.local
        var trail = LoadTrail()
        var timings = StageTimings()
        /// What is to be kept beside the bytes; `nil` when they must not be kept, anywhere.
        var stored: StoredResponse?
        /// Whether the disk cache does not have them like this yet.
        var isNews = false
        /// What tiers had of them, as it was there. Empty when they came from elsewhere, or have changed since.
        var finds: [TierFind] = []
        /// Whether the origin has to be asked in the background whether they are still right.
        var mustRevalidate = false
    }

    let bytes: Bytes
    let description: Description
    private let claim: Backlog.Claim
    private let isClaimed = Atomic(false)

    init(_ bytes: Bytes, _ description: Description, claim: Backlog.Claim) {
        self.bytes = bytes
        self.description = description
        self.claim = claim
    }

    /// What a task that began at `startedAt` gets.
    func response(startedAt: ContinuousClock.Instant, now: ContinuousClock.Instant) -> DataResponse {
        var timings = description.timings
        timings.total = now - startedAt
        return DataResponse(
            bytes: bytes, tier: description.tier, freshness: description.freshness, trail: description.trail,
            timings: timings)
    }

    /// Whether they may be kept in memory, or on disk. Local bytes may: their source is no server.
    var mayBeKept: Bool { description.stored != nil || description.tier == .local }

    /// `true` for the first caller only: one picture's success is enough to keep the bytes, once.
    func claimStore() -> Bool {
        !isClaimed.exchange(true, ordering: .relaxed)
    }
}
