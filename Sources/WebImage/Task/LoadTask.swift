public import ImageFetching
import Synchronization

/// A load of a picture.
public typealias ImageTask = LoadTask<ImageResponse>

/// A load of original bytes.
public typealias DataTask = LoadTask<DataResponse>

/// One caller's wish for one thing: can be awaited, watched, moved and cancelled, and has exactly one outcome.
///
/// Tasks that want the same thing share the work behind them; each of them may leave without disturbing the others.
/// Dropping a task does not cancel it.
public final class LoadTask<Output: Sendable>: Sendable {
    /// What happens on the way.
    public enum Event: Sendable {
        /// Bytes have come, reported no more than ten times a second. Not sent when the bytes come from a cache.
        case progress(FetchProgress)
        /// The picture as far as it has come, see ``RequestOptions/previews``. Not sent when the bytes come from a cache.
        case preview(ImagePreview)
        /// What a cache has, while the origin is asked whether it is still right; sent at most once, and only under
        /// `FreshnessRule.revalidate`.
        case provisional(Output)
        /// The outcome; the last event.
        case finished(Result<Output, ImageError>)
    }

    private struct State {
        var outcome: Result<Output, ImageError>?
        var priority: ImagePriority
        var awaiting: [UnsafeContinuation<Result<Output, ImageError>, Never>] = []
        var watching: [AsyncStream<Event>.Continuation] = []
        var provisional: Output?
    }

    public let request: ImageRequest
    let startedAt: ContinuousClock.Instant
    /// What it waits for.
    let goal: WorkKey
    private let storedPlace = Atomic(0)
    private let restarts = Atomic(0)
    let core: PipelineCore
    private let make: @Sendable (WorkValue, LoadTask) -> Output?
    private let state: Mutex<State>

    init(
        request: ImageRequest, goal: WorkKey, core: PipelineCore,
        make: @escaping @Sendable (WorkValue, LoadTask) -> Output?
    ) {
        self.request = request
        self.goal = goal
        self.core = core
        self.make = make
        startedAt = core.now()
        state = Mutex(State(priority: request.priority))
    }

    /// The outcome, as soon as it is there.
    ///
    /// When the Swift task that awaits this is cancelled, the load is too, for all who await it.
    ///
    /// - Throws: ``ImageError``; its code is ``ImageError/Code/cancelled`` after a cancellation.
    public var response: Output {
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
            let (outcome, provisional) = state.withLock { state in
                if state.outcome == nil { state.watching.append(continuation) }
                return (state.outcome, state.provisional)
            }
            if let provisional { continuation.yield(.provisional(provisional)) }
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
        if finish(.failure(.cancelled(request))) { core.cancel(self) }
    }

    /// Gives the task its outcome. Only the first call has an effect.
    ///
    /// - Returns: `true` for that call.
    @discardableResult
    func finish(_ outcome: Result<Output, ImageError>) -> Bool {
        let waiting = state.withLock { state -> State? in
            guard state.outcome == nil else { return nil }
            let waiting = state
            state.outcome = outcome
            state.awaiting = []
            state.watching = []
            return waiting
        }
        guard let waiting else { return false }
        observe(outcome, priority: waiting.priority)
        for continuation in waiting.awaiting { continuation.resume(returning: outcome) }
        for continuation in waiting.watching {
            continuation.yield(.finished(outcome))
            continuation.finish()
        }
        return true
    }

    private func observe(_ outcome: Result<Output, ImageError>, priority: ImagePriority) {
        core.observe {
            let end = core.now()
            var tier: SourceTier?
            var error: ImageError.Code?
            switch outcome {
            case .success(let output as ImageResponse): tier = output.tier
            case .success(let output as DataResponse): tier = output.tier
            case .success: break
            case .failure(let failure): error = failure.code
            }
            return PipelineEvent(
                .load, of: request, priority: priority, run: end - startedAt, end: end, tier: tier, error: error)
        }
    }

    /// Shows what a cache has to whoever watches, now or later.
    func show(_ provisional: Output) {
        let watching = state.withLock { state in
            if state.outcome == nil { state.provisional = provisional }
            return state.watching
        }
        for continuation in watching { continuation.yield(.provisional(provisional)) }
    }
}

extension LoadTask: WorkWaiter {
    var place: Int {
        get { storedPlace.load(ordering: .relaxed) }
        set { storedPlace.store(newValue, ordering: .relaxed) }
    }

    func mayRestart() -> Bool { restarts.wrappingAdd(1, ordering: .relaxed).oldValue == 0 }

    var initialPriority: ImagePriority { request.priority }

    var isOver: Bool { state.withLock { $0.outcome != nil } }

    func deliver(_ result: Result<WorkValue, ImageError>) {
        switch result {
        case .failure(let error): finish(.failure(error))
        case .success(let value):
            guard let output = make(value, self) else { return }
            finish(.success(output))
        }
    }

    var isWatched: Bool { state.withLock { !$0.watching.isEmpty } }

    func show(_ preview: ImagePreview) {
        let watching = state.withLock { $0.watching }
        for continuation in watching { continuation.yield(.preview(preview)) }
    }

    func report(_ progress: FetchProgress) {
        let watching = state.withLock { $0.watching }
        for continuation in watching { continuation.yield(.progress(progress)) }
    }
}

/// A task is itself: two tasks with the same request are two tasks.
extension LoadTask: Hashable {
    public static func == (left: LoadTask, right: LoadTask) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LoadTask where Output == ImageResponse {
    convenience init(_ request: ImageRequest, _ core: PipelineCore) {
        self.init(request: request, goal: request.pictureGoal, core: core) { value, task in
            guard case .picture(let made) = value else { return nil }
            return made.response(startedAt: task.startedAt, now: task.core.now())
        }
    }
}

extension LoadTask where Output == DataResponse {
    convenience init(_ request: ImageRequest, _ core: PipelineCore) {
        self.init(request: request, goal: request.bytesGoal, core: core) { value, task in
            guard case .bytes(let loaded) = value else { return nil }
            return loaded.response(startedAt: task.startedAt, now: task.core.now())
        }
    }
}
