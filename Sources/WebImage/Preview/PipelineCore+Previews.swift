import ImageFetching
import Synchronization

/// Pictures that are shown while their bytes come.
extension PipelineCore {
    /// - Returns: `nil` when nobody wants previews as a download begins.
    func previewFeed(_ start: Graph.Start) -> PreviewFeed? {
        let request = start.maker.task.request
        // Bytes that a hook changes are no picture before.
        guard bytes.isRemote(request), request.options.hooks?.hooks.body == nil else { return nil }
        let waiters = graph.withLock { $0.waiters(of: start.key, token: start.token) }
        let interval = waiters.compactMap { $0.task.request.previewInterval }.min()
        return interval.map { PreviewFeed(interval: $0, limit: request.limits.maxInputBytes) }
    }

    func onBody(_ feed: PreviewFeed?, _ start: Graph.Start) -> (@Sendable (BodyPart) -> Void)? {
        guard let feed else { return nil }
        return { self.take($0, feed, start) }
    }

    /// Takes a part of a body, and has a look at what there is if it is time.
    private func take(_ part: BodyPart, _ feed: PreviewFeed, _ start: Graph.Start) {
        guard feed.add(part, now: now()) else { return }
        cpu.submit(priority: start.token.priority) { [self] in
            feed.look(now: now) { bytes, makers in
                guard !feed.hasEnded, !start.token.isCancelled else { return }
                let waiters = graph.withLock { $0.waiters(of: start.key, token: start.token) }
                let watching = waiters.map(\.task).filter { $0.request.previewInterval != nil && $0.isWatched }
                for (goal, tasks) in Dictionary(grouping: watching, by: \.goal) {
                    guard let request = tasks.first?.request else { continue }
                    let maker =
                        makers[goal]
                        ?? PreviewMaker(
                            pictures, for: request, shouldContinue: { !feed.hasEnded && !start.token.isCancelled })
                    makers[goal] = maker
                    guard let preview = maker.update(bytes) else { continue }
                    for task in tasks { task.show(preview) }
                }
            }
        }
    }
}

extension ImageRequest {
    /// How often the request wants to see what has come. A step of processing might hide what a preview shows.
    fileprivate var previewInterval: Duration? { processing.isEmpty ? options.previews.interval : nil }
}
