import ImageCaching
import ImageCoding
import ImageFetching
import Synchronization

/// A failure that answers for the origin for a short while.
struct RememberedFailure: Sendable {
    let error: any Error
    let stage: ImageError.Stage
}

/// Failures are remembered briefly and by kind, so that a list that is scrolled up and down does not ask again and again
/// for what is not there. They are looked up after the caches, and never hide anything that is cached.
extension PipelineCore {
    /// What the origin would answer, as far as that is known.
    func remembered(_ request: ImageRequest) -> RememberedFailure? {
        guard !request.options.ignoresFailures, request.caching.rule != .networkOnly else { return nil }
        return failures.withLock { $0.failure(for: request.keys.bytes, now: now()) }
    }

    func note(_ error: FetchError, of request: ImageRequest) {
        let lifetime = FailureLifetime.of(error, wallClock: wallClock())
        note(RememberedFailure(error: error, stage: .fetch), of: request, for: lifetime)
    }

    /// Bytes that came from the network and are no picture.
    func noteUndecodable(_ error: CodingError, of request: ImageRequest) {
        note(RememberedFailure(error: error, stage: .decode), of: request, for: FailureLifetime.undecodable)
    }

    func forgetFailure(of request: ImageRequest) {
        failures.withLock { $0.forget(request.keys.bytes) }
    }

    private func note(_ failure: RememberedFailure, of request: ImageRequest, for lifetime: Duration) {
        guard lifetime > .zero else { return }
        failures.withLock { $0.note(failure, for: request.keys.bytes, lifetime: lifetime, now: now()) }
    }
}
