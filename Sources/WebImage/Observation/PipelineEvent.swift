import ImageFetching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One stage of a load that is over.
public struct PipelineEvent: Sendable {
    /// The stages, in the order in which they come.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        /// Looking in the disk cache.
        case disk
        /// Looking in the tiers behind the disk; only where there are any and the disk could not answer.
        case tiers
        /// Asking the origin, or reading a local source.
        case fetch
        /// Bytes to pixels in the wanted size.
        case decode
        /// One step of processing.
        case process
        /// Writing the original bytes into the disk cache, and once more for all tiers.
        case store
        /// All of it, as one task saw it. A load from memory has only this.
        case load
    }

    public let stage: Stage
    /// The address without user, password and query, fit for a log.
    public let redactedURL: String
    /// How urgent it was when it ended.
    public let priority: ImagePriority
    /// How long it waited for its turn: for a thread, or for a download slot. Zero for ``Stage/load``.
    public let wait: Duration
    /// How long it took from then on.
    public let run: Duration
    /// When it was over.
    public let end: ContinuousClock.Instant
    /// Where the bytes or the picture came from; `nil` where there are none.
    public let tier: SourceTier?
    /// Bytes that were read, received or written; for ``Stage/decode`` and ``Stage/process`` the bytes of the pixels.
    public let byteCount: Int?
    /// Addresses that were asked, redirects among them; `nil` where none was.
    public let hops: Int?
    /// Requests that were made for it, those of an earlier attempt among them; `nil` where none was.
    public let attempts: Int?
    /// Why it failed; `nil` when it did not.
    public let error: ImageError.Code?

    init(
        _ stage: Stage, of request: ImageRequest, priority: ImagePriority? = nil, wait: Duration = .zero, run: Duration,
        end: ContinuousClock.Instant, tier: SourceTier? = nil, byteCount: Int? = nil, hops: Int? = nil,
        attempts: Int? = nil, error: ImageError.Code? = nil
    ) {
        self.stage = stage
        redactedURL = request.url.redacted
        self.priority = priority ?? request.priority
        self.wait = wait
        self.run = run
        self.end = end
        self.tier = tier
        self.byteCount = byteCount
        self.hops = hops
        self.attempts = attempts
        self.error = error
    }
}

/// Is told of every stage of every load: for logs, figures and traces.
///
/// Stages that several tasks share are told once; ``PipelineEvent/Stage/load`` once for each task.
public protocol PipelineObserver: Sendable {
    /// Called on the thread that ended the stage, which it holds up: it should return soon and must not wait.
    func observe(_ event: PipelineEvent)
}
