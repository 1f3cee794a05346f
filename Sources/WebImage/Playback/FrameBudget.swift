import ByteBuffers
public import ImageCaching
import ImageCoding
import Pixels
import Synchronization
import SystemThreads

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The memory that the frames of all playing animations may take together, and the threads that decode them.
///
/// A budget for each view overshoots as soon as there are many views. All players of a budget share it: who plays gets an
/// even part, and who needs less leaves the rest to the others. When it is short, frames that the next loop could use go
/// first, then those that are decoded before they are due, and then the canvases that save a decode; what stays in any
/// case is the one frame of each player that is on the screen. Players of one `AnimatedImage` share its frames.
///
/// Players that are hidden, paused, or not to move need no processor time, and what they do not show goes within a second.
///
/// Most programs need only ``shared``:
///
/// ```swift
/// FrameBudget.shared.limit = 128 << 20
/// ```
public final class FrameBudget: Sendable {
    /// The budget of this process. Under memory pressure it gives frames back, see ``relieve(_:)``.
    public static let shared: FrameBudget = {
        let budget = FrameBudget()
        MemoryPressureMonitor.shared.add(budget)
        return budget
    }()

    /// What a budget may take unless told otherwise: 64 MiB, or a tenth of what this process may use where that is less.
    public static var standardLimit: Int { standardLimit(MemoryBudget.current) }

    static func standardLimit(_ memory: MemoryBudget) -> Int { min(64 << 20, (memory.available ?? .max) / 10) }

    /// For how long a player keeps what it does not need any more.
    static let grace = Duration.milliseconds(500)

    struct State {
        var seats: FrameSeats
        var players: [FrameSeats.PlayerID: WeakPlayer] = [:]
        var animations: [FrameSeats.AnimationID: AnimatedImage] = [:]
        var lastPlayer: FrameSeats.PlayerID = 0
        /// When a timer will look after what is over.
        var timer: ContinuousClock.Instant?

        mutating func take(_ animation: AnimatedImage) {
            if animations.updateValue(animation, forKey: ObjectIdentifier(animation)) == nil {
                animation.keep(bytes: 0, isHoldingBases: false)
            }
        }

        /// Leaves an animation to itself that nobody plays.
        mutating func release(_ animation: AnimatedImage) {
            guard !seats.knows(ObjectIdentifier(animation)),
                animations.removeValue(forKey: ObjectIdentifier(animation)) != nil
            else { return }
            animation.keepAsBefore()
        }

        /// The time of a timer that has to be started, if there is none that is early enough.
        mutating func nextTimer() -> ContinuousClock.Instant? {
            guard let deadline = seats.nextDeadline else { return nil }
            if let timer, timer <= deadline { return nil }
            timer = deadline
            return deadline
        }
    }

    struct WeakPlayer {
        weak let player: AnimatedImagePlayer?
    }

    let now: @Sendable () -> ContinuousClock.Instant
    /// Waits until a time, or until the task is cancelled.
    let sleep: @Sendable (ContinuousClock.Instant) async -> Void
    let state: Mutex<State>
    let workers: WorkerPool

    /// - Parameters:
    ///   - limit: bytes of pixels. Default: ``standardLimit``.
    ///   - threadCount: threads that decode frames, started with the first. `nil`, the default: one for each processor that
    ///     this process may use, but no more than four.
    ///   - clock: what all players of the budget go by. Default: the continuous clock.
    public init<C: Clock>(
        limit: Int = FrameBudget.standardLimit, threadCount: Int? = nil, clock: C = ContinuousClock()
    ) where C.Instant == ContinuousClock.Instant {
        now = { clock.now }
        sleep = { try? await clock.sleep(until: $0, tolerance: nil) }
        let threadCount = max(1, threadCount ?? min(4, ProcessInfo.processInfo.activeProcessorCount))
        workers = WorkerPool(name: "webimage-frames", threadCount: threadCount)
        state = Mutex(State(seats: FrameSeats(limit: limit, decodes: threadCount, grace: Self.grace)))
    }

    /// The most bytes of pixels that are held, above what is on the screen. A lower one has frames given back at once.
    public var limit: Int {
        get { state.withLock(\.seats.limit) }
        set { change { $0.setLimit(newValue) } }
    }

    /// The bytes of pixels that are held now, by players and their animations; what is shared counts once. Looks at every
    /// player.
    public var heldBytes: Int {
        let (players, animations) = state.withLock { ($0.players.values.compactMap(\.player), $0.animations.values) }
        let bitmaps = players.flatMap(\.heldBitmaps) + animations.flatMap(\.heldBitmaps)
        var seen: Set<UnsafeRawPointer> = []
        return bitmaps.reduce(0) { sum, bitmap in
            let isNew = bitmap.withUnsafeBytes { $0.baseAddress.map { seen.insert($0).inserted } ?? false }
            return sum + (isNew ? bitmap.byteCost : 0)
        }
    }

    // MARK: Players

    func join(_ animation: AnimatedImage) -> FrameSeats.PlayerID {
        state.withLock { state in
            state.lastPlayer += 1
            state.seats.join(state.lastPlayer, ObjectIdentifier(animation), FrameDemand(of: animation))
            state.take(animation)
            return state.lastPlayer
        }
    }

    /// From here on the player hears from the budget.
    func seat(_ player: AnimatedImagePlayer) {
        state.withLock { $0.players[player.id] = WeakPlayer(player: player) }
    }

    func leave(_ id: FrameSeats.PlayerID, _ animation: AnimatedImage) {
        animation.leave(FrameViewer(id))
        change { $0.leave(id) }
        state.withLock { state in
            state.players[id] = nil
            state.release(animation)
        }
    }

    /// - Parameter isSame: the new animation ``AnimatedImage/continues(_:)`` the old one.
    func move(_ id: FrameSeats.PlayerID, from old: AnimatedImage, to new: AnimatedImage, isSame: Bool) {
        change(taking: new) { $0.move(id, to: ObjectIdentifier(new), FrameDemand(of: new)) }
        if isSame { new.take(from: old, for: FrameViewer(id)) }
        old.leave(FrameViewer(id))
        state.withLock { $0.release(old) }
    }

    /// Asks a player what it needs.
    ///
    /// - Parameter isAtOnce: what it needs no more goes now.
    func review(_ player: AnimatedImagePlayer, isAtOnce: Bool = false) {
        let now = now()
        // Asked under the lock: of two threads that come here neither leaves an older answer behind.
        change { $0.set(player.standing, of: player.id, at: now, isAtOnce: isAtOnce) }
    }

    // MARK: Changes

    /// - Parameter animation: one that somebody plays from now on, so that it hears of its share.
    private func change(
        taking animation: AnimatedImage? = nil, _ body: (inout FrameSeats) -> FrameSeats.Effects
    ) {
        let (effects, players, timer) = state.withLock { state in
            if let animation { state.take(animation) }
            let effects = body(&state.seats)
            // Under the lock, so that of two changes the later one is the last to be told.
            for (animation, share) in effects.shares {
                state.animations[animation]?.keep(bytes: share.keptBytes, isHoldingBases: share.isHoldingBases)
            }
            let players = (effects.settled + effects.cleared).compactMap { state.players[$0]?.player }
            return (effects, players, state.nextTimer())
        }
        for player in players { player.giveBack() }
        if effects.isIdle, !effects.cleared.isEmpty { RegionPool.shared.trim() }
        if let timer { start(timer) }
    }

    /// One look, when something is over. An idle program has no timer.
    private func start(_ deadline: ContinuousClock.Instant) {
        Task { [weak self, sleep] in
            await sleep(deadline)
            self?.lookAfter(deadline)
        }
    }

    private func lookAfter(_ deadline: ContinuousClock.Instant) {
        let now = now()
        state.withLock { if $0.timer == deadline { $0.timer = nil } }
        change { $0.advance(to: max(now, deadline)) }
    }
}

// MARK: Decoding

extension FrameBudget {
    /// Has a frame decoded; ``AnimatedImagePlayer/take(_:_:of:)`` gets it.
    ///
    /// - Returns: `false` when nothing is decoded before it is due.
    func order(_ frame: Int, by player: AnimatedImagePlayer, isAhead: Bool) -> Bool {
        let (isAccepted, animation) = state.withLock { state in
            let answer = state.seats.order(frame, by: player.id, isAhead: isAhead)
            // The one that the order is for, which the player itself may not have heard of yet.
            return (answer.isAccepted, answer.start.flatMap { state.animations[$0] })
        }
        if let animation { decodeNext(of: animation) }
        return isAccepted
    }

    /// Decodes one frame after the other for as long as there are orders. No animation has more than one thread.
    private func decodeNext(of animation: AnimatedImage) {
        let next = state.withLock { state in
            state.seats.takeOrder(of: ObjectIdentifier(animation)).map { ($0, state.players[$0.player]) }
        }
        guard let (order, waiting) = next else { return }
        // A frame that needs many others waits for those that do not.
        let isFar = animation.distance(to: order.frame) > 2
        workers.submit(priority: isFar ? .low : .normal) { [weak self] in
            // Who does not wait any more has nothing decoded, and no canvas taken from the others for it.
            if waiting?.player?.needs(order.frame) == true {
                let result = Result { () throws(CodingError) in
                    try animation.frame(at: order.frame, for: FrameViewer(order.player)) {
                        waiting?.player?.needs(order.frame) ?? false
                    }
                }
                waiting?.player?.take(result, order.frame, of: animation)
            }
            if waiting?.player?.animation !== animation { animation.leave(FrameViewer(order.player)) }
            self?.decodeNext(of: animation)
        }
    }
}

extension FrameBudget: MemoryPressureResponder {
    /// Gives frames back and holds fewer for ten seconds: half as many bytes under moderate pressure, none but those on
    /// the screen under critical.
    public func relieve(_ pressure: MemoryPressure) {
        let now = now()
        change { $0.relieve(to: pressure.keptCost(of: $0.currentLimit), at: now) }
    }
}

extension FrameDemand {
    init(of animation: AnimatedImage) {
        self.init(
            frameCount: animation.frameCount, pictureBytes: animation.pictureBytes,
            canvasBytes: animation.canvasBytes, isFinishing: animation.isFinishing,
            isUncovering: animation.isUncovering)
    }
}
