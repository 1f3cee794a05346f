import ImageCoding
import Pixels
import Synchronization

/// How frames come to a player and go again.
extension AnimatedImagePlayer {
    private struct Consequences {
        var mustReview = false
        var order: Order?
    }

    private struct Order {
        let frame: Int
        let isAhead: Bool
    }

    /// Changes something for another reason than the time, and then everything that follows from it.
    ///
    /// - Parameter isAtOnce: frames that are not needed any more go now.
    func change(isAtOnce: Bool = false, _ body: (inout State, ContinuousClock.Instant) -> Void) {
        let now = budget.now()
        let consequences = state.withLock { state in
            let before = state.playback.frame
            body(&state, now)
            // A frame that comes late is still worth showing, but not one that nobody asks for any more.
            if state.playback.frame != before || !state.isVisible { state.ordered = nil }
            return update(&state, at: now)
        }
        carryOut(consequences, isAtOnce: isAtOnce)
        notify()
    }

    /// Goes on to a time.
    func look(at now: ContinuousClock.Instant) -> Frame? {
        let (frame, events, onEvent, consequences) = state.withLock { state in
            let passage = state.playback.advance(to: now)
            if passage.loops > 0 { state.failed.removeAll() }
            let consequences = update(&state, at: now)
            var events: [Event] = []
            if let onEvent = state.onEvent {
                events = Self.events(of: passage, &state)
                return (state.shown, events, onEvent as (@Sendable (Event) -> Void)?, consequences)
            }
            return (state.shown, events, nil, consequences)
        }
        carryOut(consequences)
        if let onEvent { for event in events { onEvent(event) } }
        return frame
    }

    private static func events(of passage: PlaybackState.Passage, _ state: inout State) -> [Event] {
        var events: [Event] = []
        if let shown = state.shown, shown.serial != state.reported {
            state.reported = shown.serial
            events.append(.frame(shown.index))
        }
        if passage.loops > 0 {
            let completed = state.playback.completedLoops
            events += (max(completed - passage.loops, completed - mostLoops) + 1...completed).map(Event.loop)
        }
        if passage.isEnd { events.append(.finished) }
        return events
    }

    /// Of more loops than these that went by unseen, as while a machine slept, only the last are reported.
    private static var mostLoops: Int { 10_000 }

    func notify() {
        let (onChange, watchers) = state.withLock { ($0.onChange, Array($0.watchers.values)) }
        onChange?()
        for watcher in watchers { watcher() }
    }

    /// Takes the frames that are there, and says what is to be done.
    private func update(_ state: inout State, at now: ContinuousClock.Instant) -> Consequences {
        var consequences = Consequences()
        consequences.order = takeFrames(&state, at: now)
        if let order = consequences.order { state.ordered = order.frame }
        let standing = state.neededStanding
        consequences.mustReview = standing != state.standing
        state.standing = standing
        return consequences
    }

    private func takeFrames(_ state: inout State, at now: ContinuousClock.Instant) -> Order? {
        guard state.isVisible else {
            state.playback.setSuspended(true, at: now)
            return nil
        }
        let due = state.playback.frame
        if !state.isUpToDate {
            if let ahead = state.ahead, ahead.index == due {
                state.show(ahead.bitmap, due)
            } else if let bitmap = state.animation.heldFrame(at: due, for: viewer) {
                state.show(bitmap, due)
            }
            // Another thread may just be about to bring it.
            if state.isUpToDate, state.ordered == due { state.ordered = nil }
        }
        if let ahead = state.ahead, ahead.index != state.playback.upcoming { state.ahead = nil }
        // The time of the first frame begins when it is there.
        let isWaiting = state.shown == nil && !state.failed.contains(due)
        state.playback.setSuspended(state.prefersReducedMotion || isWaiting, at: now)
        var wanted: Order?
        if !state.isUpToDate {
            wanted = Order(frame: due, isAhead: false)
        } else if state.playback.isRunning, let next = state.playback.upcoming, state.ahead?.index != next {
            if let bitmap = state.animation.heldFrame(at: next, for: viewer) {
                state.ahead = (bitmap, next)
            } else {
                wanted = Order(frame: next, isAhead: true)
            }
        }
        // What is under way is shown when it comes, if late: with a new order every time nothing would ever come.
        guard let wanted, state.ordered == nil, !state.failed.contains(wanted.frame) else { return nil }
        lendShown(state, for: wanted.frame)
        return wanted
    }

    /// Has a frame drawn on the one that is shown, where that is a canvas and the animation has let go of it: after a
    /// decode that was given up, for example.
    private func lendShown(_ state: State, for next: Int) {
        let animation = state.animation
        guard let shown = state.shown, !animation.isFinishing, animation.distance(to: next) > 1,
            animation.isOwn(shown.bitmap)
        else { return }
        animation.settle(shown.bitmap, at: shown.index, for: viewer)
    }

    private func carryOut(_ consequences: Consequences, isAtOnce: Bool = false) {
        if consequences.mustReview || isAtOnce { budget.review(self, isAtOnce: isAtOnce) }
        guard let order = consequences.order, !budget.order(order.frame, by: self, isAhead: order.isAhead) else {
            return
        }
        state.withLock { if $0.ordered == order.frame { $0.ordered = nil } }
    }

    private var viewer: FrameViewer { FrameViewer(id) }

    // MARK: Called by the budget

    /// What has to be held for it.
    var standing: FrameSeats.Standing { state.withLock(\.neededStanding) }

    /// Whether a frame that is being decoded is still waited for.
    func needs(_ frame: Int) -> Bool { state.withLock { $0.ordered == frame } }

    /// Takes a frame that was decoded.
    func take(_ result: Result<Bitmap, CodingError>, _ index: Int, of animation: AnimatedImage) {
        let isNews = state.withLock { state in
            guard state.isVisible else {
                state.animation.leave(viewer)
                return false
            }
            guard state.ordered == index, animation.size == state.animation.size else { return false }
            state.ordered = nil
            switch result {
            case .success(let bitmap):
                if state.isUpToDate {
                    if index == state.playback.upcoming { state.ahead = (bitmap, index) }
                    return false
                }
                // One that comes late is shown all the same, or a machine that is too slow would never show anything.
                state.show(bitmap, index)
                return true
            case .failure(let error):
                guard error.code != .cancelled else { return true }
                state.failed.insert(index)
                state.failure = state.failure ?? error
                return true
            }
        }
        if isNews { notify() }
    }

    /// Gives back what is not needed any more.
    func giveBack() {
        state.withLock { state in
            switch state.standing {
            case .running: return
            case .resting:
                state.ahead = nil
                if let shown = state.shown, !state.isOutdated {
                    state.animation.settle(shown.bitmap, at: shown.index, for: viewer)
                } else {
                    state.animation.leave(viewer)
                }
            case .hidden:
                state.showNothing()
                state.animation.leave(viewer)
            }
        }
    }

    /// The frames that it holds itself.
    var heldBitmaps: [Bitmap] {
        state.withLock { state in [state.shown?.bitmap, state.ahead?.bitmap].compactMap(\.self) }
    }
}

extension AnimatedImagePlayer.State {
    var neededStanding: FrameSeats.Standing {
        guard isVisible else { return .hidden }
        let isMoving = playback.isPlaying && !prefersReducedMotion && playback.rate > 0 && playback.frameCount > 1
        return isMoving ? .running : .resting
    }
}
