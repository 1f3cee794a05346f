import ByteBuffers
import ImageFetching
import Synchronization

/// Collects a body as it comes and says when it is time for a look.
///
/// The network's side only puts parts down; what is made of them is made elsewhere, by one job at a time.
final class PreviewFeed: Sendable {
    private struct State {
        var parts: [BodyPart] = []
        var isBusy = false
        var hasEnded = false
        var nextLook: ContinuousClock.Instant?

        mutating func take() -> [BodyPart] {
            defer { parts = [] }
            return parts
        }
    }

    /// What the job works on.
    // Unchecked: only the job that is under way touches it, and `isBusy` sees to it that there is no more than one.
    private final class Desk: @unchecked Sendable {
        let limit: Int
        var bytes: ByteAccumulator
        var makers: [WorkKey: PreviewMaker] = [:]
        /// A part was too large; what comes behind it must not take its place.
        private(set) var isBroken = false

        init(limit: Int) {
            self.limit = limit
            bytes = ByteAccumulator(limit: limit)
        }

        func take(_ part: BodyPart) {
            let piece: Bytes
            switch part {
            case .start(let first):
                bytes = ByteAccumulator(limit: limit)
                makers = [:]
                isBroken = false
                piece = first
            case .more(let next): piece = next
            }
            guard !isBroken else { return }
            // What is larger than the limit, or than memory, is not looked at any further.
            do { try piece.withUnsafeBytes { try bytes.append($0) } } catch { isBroken = true }
        }
    }

    private let interval: Duration
    private let state = Mutex(State())
    private let desk: Desk

    /// - Parameter limit: the most bytes that are looked at.
    init(interval: Duration, limit: Int) {
        self.interval = interval
        desk = Desk(limit: limit)
    }

    /// - Returns: whether a job is to begin now. It has to call ``look(_:)``, and that once.
    func add(_ part: BodyPart, now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            if case .start = part { state.parts = [] }
            state.parts.append(part)
            // What comes at once needs no preview.
            let time = state.nextLook ?? now + interval
            state.nextLook = time
            guard !state.isBusy, now >= time else { return false }
            state.isBusy = true
            state.nextLook = now + interval
            return true
        }
    }

    /// All has come: a look that is under way is not worth finishing.
    func end() { state.withLock { $0.hasEnded = true } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Takes what has come and lets `body` work on it, again if it is time for that when it is done.
    func look(
        now: () -> ContinuousClock.Instant, _ body: (UnsafeRawBufferPointer, inout [WorkKey: PreviewMaker]) -> Void
    ) {
        var parts = state.withLock { $0.take() }
        while !parts.isEmpty {
            for part in parts { desk.take(part) }
            if !desk.isBroken { desk.bytes.withUnsafeBytes { body($0, &desk.makers) } }
            let time = now()
            parts = state.withLock { state in
                state.isBusy = !state.hasEnded && !state.parts.isEmpty && state.nextLook.map { time >= $0 } ?? true
                guard state.isBusy else { return [] }
                state.nextLook = time + interval
                return state.take()
            }
        }
    }
}
