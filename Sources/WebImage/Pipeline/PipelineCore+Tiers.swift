import ImageFetching
import Synchronization

/// The caches behind the disk. Whatever becomes of them, a load goes on: with what they had, or with the origin.
extension PipelineCore {
    /// How long tiers are not asked for an address of which they, or the disk, had no picture.
    private static let distrust = Duration.seconds(300)

    func mayAskTiers(_ request: ImageRequest) -> Bool {
        guard !bytes.tiers.isEmpty else { return false }
        return distrusted.withLock { $0.failure(for: request.keys.bytes, now: now()) } == nil
    }

    /// Waits for tiers without holding up a thread.
    func askTiers(_ start: Graph.Start, _ question: ByteStage.Question) {
        let turn = start.token.nextTurn()
        let work = Task(executorPreference: io) { [self] in
            defer { backlog.pass() }
            let request = start.maker.task.request
            let started = now()
            let result: Result<ByteStage.Answer, FetchError>
            do throws(FetchError) {
                result = .success(try await bytes.lookUpInTiers(question, request))
            } catch {
                result = .failure(error)
            }
            guard !start.token.isCancelled else { return }
            observe { searchEvent(.tiers, start, result, started) }
            follow(start, result)
        }
        attach(.search(work), to: start.token, in: turn)
    }

    /// Gives bytes to the tiers, and ends the write.
    func keepInTiers(_ loaded: LoadedBytes, for request: ImageRequest, _ ticket: PendingWork.Ticket) {
        guard !bytes.tiers.isEmpty else { return writes.end(ticket) }
        let queued = now()
        Task(executorPreference: io) { [self] in
            let started = now()
            if await bytes.keepInTiers(loaded, for: request) {
                observe {
                    let end = now()
                    return PipelineEvent(
                        .store, of: request, wait: started - queued, run: end - started, end: end, tier: .shared,
                        byteCount: loaded.bytes.count)
                }
            }
            writes.end(ticket)
        }
    }

    func removeFromTiers(_ request: ImageRequest) {
        guard !bytes.tiers.isEmpty else { return }
        let ticket = writes.begin()
        Task(executorPreference: io) { [self] in
            await bytes.removeFromTiers(request)
            writes.end(ticket)
        }
    }

    /// Puts stored bytes out of the way of which no picture could be made. Tiers are not asked for the address for a while:
    /// what the disk had may have come from them, and they may not do as they are told.
    ///
    /// - Returns: whether a new search will not come upon them again.
    func drop(_ loaded: LoadedBytes, for request: ImageRequest) -> Bool {
        guard [.disk, .shared].contains(loaded.description.tier) else { return false }
        if !bytes.tiers.isEmpty {
            distrusted.withLock {
                $0.note(true, for: request.keys.bytes, lifetime: Self.distrust, now: now())
            }
        }
        guard loaded.description.tier == .shared else { return bytes.drop(loaded, for: request) }
        removeFromTiers(request)
        return true
    }
}
