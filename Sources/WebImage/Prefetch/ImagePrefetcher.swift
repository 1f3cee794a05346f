import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Loads pictures into the caches before anybody asks for them, behind everything that is on the screen.
///
/// ```swift
/// let batch = ImagePrefetcher.shared.prefetch(urls: urls)
/// for await progress in batch.updates { print("\(progress.ended) of \(progress.total)") }
/// ```
///
/// A prefetch and a load of the same picture share their work, and the load's priority counts. Batches take turns in the
/// order in which they were given; none cancels another.
public final class ImagePrefetcher: Sendable {
    /// How far a prefetch goes.
    public enum Depth: Sendable, Hashable {
        /// The original bytes are in the disk cache. Memory is not touched.
        case bytes
        /// The decoded picture is in the memory cache as well.
        case pictures
    }

    /// One for ``ImagePipeline/shared`` that gets bytes.
    public static let shared = ImagePrefetcher()

    private struct State {
        var queue: PrefetchQueue
        var batches: [Int: PrefetchBatch] = [:]
        var next = 0
    }

    /// The load of an item.
    struct Running: Sendable {
        let cancel: @Sendable () -> Void
        let setPriority: @Sendable (ImagePriority) -> Void
    }

    private let pipeline: ImagePipeline
    private let depth: Depth
    private let state: Mutex<State>

    /// - Parameters:
    ///   - pipeline: whose caches are filled.
    ///   - depth: how far. Default ``Depth/bytes``.
    ///   - maxConcurrent: how many loads run at once. Default 3.
    public init(pipeline: ImagePipeline = .shared, depth: Depth = .bytes, maxConcurrent: Int = 3) {
        self.pipeline = pipeline
        self.depth = depth
        state = Mutex(State(queue: PrefetchQueue(limit: maxConcurrent)))
    }

    /// Prefetches addresses with a request of default terms each.
    @discardableResult
    public func prefetch(urls: [URL], priority: ImagePriority = .low) -> PrefetchBatch {
        prefetch(urls.map { ImageRequest(url: $0) }, priority: priority)
    }

    /// Prefetches what requests name. Each request's own priority is replaced by the batch's.
    ///
    /// - Returns: the batch. It need not be kept; letting it go cancels nothing.
    @discardableResult
    public func prefetch(_ requests: [ImageRequest], priority: ImagePriority = .low) -> PrefetchBatch {
        let (batch, effects) = state.withLock { state in
            state.next += 1
            let batch = PrefetchBatch(requests, number: state.next, priority: priority, prefetcher: self)
            if !requests.isEmpty { state.batches[state.next] = batch }
            return (batch, state.queue.add(state.next, count: requests.count))
        }
        perform(effects)
        return batch
    }

    /// While it is `true` nothing new starts; what runs goes on. Default `false`.
    public func pause(_ isPaused: Bool) {
        perform(state.withLock { $0.queue.pause(isPaused) })
    }

    /// Cancels every batch.
    public func cancelAll() {
        for batch in state.withLock({ Array($0.batches.values) }) { cancel(batch) }
    }

    func cancel(_ batch: PrefetchBatch) {
        perform(state.withLock { $0.queue.cancel(batch: batch.number) })
    }

    func cancel(_ batch: PrefetchBatch, _ index: Int) {
        perform(state.withLock { $0.queue.cancel(PrefetchQueue.Ticket(batch: batch.number, index: index)) })
    }

    private func perform(_ effects: PrefetchQueue.Effects) {
        var effects = effects
        // A picture that is in memory ends at once and makes room for the next: a loop, not a recursion.
        while true {
            for ticket in effects.stop { batch(ticket.batch)?.task(at: ticket.index)?.cancel() }
            for (number, progress) in effects.progress { report(progress, of: number) }
            let ended = effects.start.filter { !start($0) }
            effects = PrefetchQueue.Effects()
            for ticket in ended {
                let more = state.withLock { $0.queue.ended(ticket, .loaded) }
                effects.start += more.start
                effects.progress += more.progress
            }
            if effects.start.isEmpty, effects.progress.isEmpty { return }
        }
    }

    private func batch(_ number: Int) -> PrefetchBatch? { state.withLock { $0.batches[number] } }

    private func report(_ progress: PrefetchProgress, of number: Int) {
        let batch = state.withLock { state in
            progress.isOver ? state.batches.removeValue(forKey: number) : state.batches[number]
        }
        batch?.update(progress)
    }

    /// - Returns: `false` when nothing has to be loaded.
    private func start(_ ticket: PrefetchQueue.Ticket) -> Bool {
        guard let batch = batch(ticket.batch) else { return false }
        var request = batch.requests[ticket.index]
        request.priority = batch.priority
        switch depth {
        case .pictures:
            if let cached = pipeline.cachedResponse(for: request) {
                batch.ended(ticket.index, .success(cached.tier))
                return false
            }
            watch(pipeline.task(for: request), ticket, batch) { .success($0.tier) }
        case .bytes:
            watch(pipeline.dataTask(for: request), ticket, batch) { [pipeline, request] response in
                pipeline.isPicture(response.bytes) ? .success(response.tier) : .failure(.noPicture(request))
            }
        }
        return true
    }

    private func watch<Output>(
        _ task: LoadTask<Output>, _ ticket: PrefetchQueue.Ticket, _ batch: PrefetchBatch,
        result: @escaping @Sendable (Output) -> Result<SourceTier, ImageError>
    ) {
        batch.running(
            Running(cancel: { task.cancel() }, setPriority: { task.priority = $0 }), at: ticket.index)
        Task { [self] in
            let ended: Result<SourceTier, ImageError>
            do throws(ImageError) { ended = result(try await task.response) } catch { ended = .failure(error) }
            let outcome: PrefetchQueue.Outcome =
                switch ended {
                case .success: .loaded
                case .failure(let error): error.code == .cancelled ? .cancelled : .failed
                }
            batch.running(nil, at: ticket.index)
            batch.ended(ticket.index, ended)
            perform(state.withLock { $0.queue.ended(ticket, outcome) })
        }
    }
}

extension ImageError {
    /// What came does not begin like a picture, and is not kept.
    fileprivate static func noPicture(_ request: ImageRequest) -> ImageError {
        ImageError(
            .notAnImage, stage: .decode, message: "What came is no picture in a known format.",
            redactedURL: request.url.redacted)
    }
}
