public import ImageFetching
import Synchronization

/// One caller's wish for one picture: can be awaited, watched, moved and cancelled, and has exactly one outcome.
///
/// Tasks that want the same thing share the work behind them; each of them may leave without disturbing the others.
/// Dropping a task does not cancel it.
public final class ImageTask: Sendable {
    /// What happens on the way.
    public enum Event: Sendable {
        /// Bytes have come, reported no more than ten times a second. Not sent when the bytes come from a cache.
        case progress(FetchProgress)
        /// The outcome; the last event.
        case finished(Result<ImageResponse, ImageError>)
    }

    private struct State {
        var outcome: Result<ImageResponse, ImageError>?
        var priority: ImagePriority
        var awaiting: [UnsafeContinuation<Result<ImageResponse, ImageError>, Never>] = []
        var watching: [AsyncStream<Event>.Continuation] = []
    }

    public let request: ImageRequest
    let startedAt: ContinuousClock.Instant
    private let core: PipelineCore
    private let state: Mutex<State>

    init(request: ImageRequest, core: PipelineCore) {
        self.request = request
        self.core = core
        startedAt = core.now()
        state = Mutex(State(priority: request.priority))
    }

    /// The outcome, as soon as it is there.
    ///
    /// When the Swift task that awaits this is cancelled, the image task is too, for all who await it.
    ///
    /// - Throws: ``ImageError``; its code is ``ImageError/Code/cancelled`` after a cancellation.
    public var response: ImageResponse {
        get async throws(ImageError) {
            let outcome = await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    let outcome = state.withLock { state in
                        if state.outcome == nil { state.awaiting.append(continuation) }
                        return state.outcome
                    }
                    if let outcome { continuation.resume(returning: outcome) }
                }
            } onCancel: {
                cancel()
            }
            return try outcome.get()
        }
    }

    /// What happens from now on. Every call makes a stream of its own; it ends after ``Event/finished(_:)``.
    ///
    /// A stream that nobody reads keeps the newest 16 events.
    public var events: AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.watching.append(continuation) }
                return state.outcome
            }
            if let outcome {
                continuation.yield(.finished(outcome))
                continuation.finish()
            }
        }
    }

    /// How urgent the task is. Work that is shared has the highest priority of those who wait for it.
    public var priority: ImagePriority {
        get { state.withLock { $0.priority } }
        set {
            let isPending = state.withLock { state in
                state.priority = newValue
                return state.outcome == nil
            }
            if isPending { core.setPriority(newValue, of: self) }
        }
    }

    /// Ends the task with ``ImageError/Code/cancelled`` unless it has its outcome. The work behind it stops when no other
    /// task needs it.
    public func cancel() {
        let error = ImageError(
            .cancelled, stage: .request, message: "The load was cancelled.",
            redactedURL: request.url.redacted)
        if finish(.failure(error)) { core.cancel(self) }
    }

    /// Reports progress to whoever watches.
    func report(_ progress: FetchProgress) {
        let watching = state.withLock { $0.watching }
        for continuation in watching { continuation.yield(.progress(progress)) }
    }

    /// Gives the task its outcome. Only the first call has an effect.
    ///
    /// - Returns: `true` for that call.
    @discardableResult
    func finish(_ outcome: Result<ImageResponse, ImageError>) -> Bool {
        let waiting = state.withLock { state -> State? in
            guard state.outcome == nil else { return nil }
            let waiting = state
            state.outcome = outcome
            state.awaiting = []
            state.watching = []
            return waiting
        }
        guard let waiting else { return false }
        for continuation in waiting.awaiting { continuation.resume(returning: outcome) }
        for continuation in waiting.watching {
            continuation.yield(.finished(outcome))
            continuation.finish()
        }
        return true
    }
}

/// A task is itself: two tasks with the same request are two tasks.
extension ImageTask: Hashable {
    public static func == (left: ImageTask, right: ImageTask) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
