/// What a place for a picture is up to: a value that is told what happens and says what is to be done.
///
/// One load at a time is wanted, and at most one attempt at it is under way; attempts have numbers, and what is heard of
/// any but the newest changes nothing. So the last bind wins whatever comes late.
package struct SlotState: Hashable, Sendable {
    /// What the target shows.
    package enum Content: Hashable, Sendable {
        case nothing, placeholder, preview, picture, failurePicture
    }

    private enum Phase: Hashable {
        /// Nothing is wanted, or it has ended.
        case settled
        /// Something is wanted, but its size is not known yet, or nobody could see it.
        case waiting
        /// An attempt is under way.
        case loading
        /// The picture is there, and its transition runs.
        case arriving
        /// The view is gone.
        case closed
    }

    private var phase = Phase.settled
    /// Who called last has not been told yet how it ended.
    private var owesOutcome = false
    private var knowsSize = true
    private var isHidden = false
    private var rules = SlotRules()
    /// The number of the newest attempt.
    package private(set) var attempt = 0
    package private(set) var content = Content.nothing
    /// The content is of an earlier bind.
    package private(set) var isContentOld = false

    package init() {}

    /// Whether something is on its way.
    package var isLoading: Bool { phase == .loading || phase == .waiting }

    package var isClosed: Bool { phase == .closed }

    /// Whether something is shown or on its way that could have more pixels.
    package var canReload: Bool {
        phase == .loading || (phase == .settled && content == .picture && !isContentOld)
    }

    /// Whether the picture is there and its transition runs.
    package var isArriving: Bool { phase == .arriving }

    /// Whether it is only the size that is missing for a start.
    package var needsSize: Bool { phase == .waiting && !knowsSize }

    // MARK: What callers do

    /// Something else is wanted from now on.
    package mutating func bind(_ wish: SlotWish, rules: SlotRules) -> SlotEffects {
        var effects = SlotEffects()
        if owesOutcome { effects.previous = phase == .arriving ? .loaded : .superseded }
        let wasLoading = isLoading
        // Who asked for it not to be cancelled lets it go on for the caches; it is not heard any more.
        effects.stops = phase == .loading && rules.cancelsPrevious
        attempt += 1
        guard phase != .closed else {
            effects.outcome = .cancelled
            return effects
        }
        self.rules = rules
        owesOutcome = true
        knowsSize = wish.knowsSize
        if content == .picture, !wish.isSameItem { isContentOld = true }
        switch wish.source {
        case .nowhere:
            fail(&effects)
            effects.activity = wasLoading ? .ended : nil
        case .memory:
            arrive(isFromMemory: true, &effects)
            effects.activity = wasLoading ? .ended : nil
        case .elsewhere:
            if content == .picture, (wish.isSameItem && !isContentOld) || rules.keepsPrevious {
                // It stays until the new one is there.
            } else if rules.placeholder == .atOnce {
                effects.show = .placeholder
                setContent(.placeholder)
            } else {
                clear(&effects)
            }
            effects.activity = .began
            phase = .waiting
            startIfPossible(&effects)
        }
        return effects
    }

    /// Nobody wants what is on its way any more.
    package mutating func cancel() -> SlotEffects {
        var effects = SlotEffects()
        switch phase {
        case .settled, .closed: return effects
        case .arriving: effects.outcome = .loaded
        case .waiting, .loading:
            effects.stops = phase == .loading
            effects.activity = owesOutcome ? .ended : nil
            effects.outcome = owesOutcome ? .cancelled : nil
            attempt += 1
            if content != .picture || isContentOld { standIn(&effects) }
        }
        owesOutcome = false
        phase = .settled
        return effects
    }

    /// The view is to be empty, for the next use.
    package mutating func reset() -> SlotEffects {
        var effects = cancel()
        effects.show = content == .nothing && effects.show == nil ? nil : .nothing
        setContent(.nothing)
        return effects
    }

    /// The view is gone: nothing is shown any more.
    package mutating func close() -> SlotEffects {
        var effects = cancel()
        effects.show = nil
        effects.activity = nil
        setContent(.nothing)
        attempt += 1
        phase = .closed
        return effects
    }

    // MARK: What the view says

    /// The size is known at last.
    ///
    /// - Parameter isInMemory: whether memory has the picture in that size.
    package mutating func sizeBecameKnown(isInMemory: Bool) -> SlotEffects {
        var effects = SlotEffects()
        knowsSize = true
        guard phase == .waiting else { return effects }
        if isInMemory {
            arrive(isFromMemory: true, &effects)
            effects.activity = .ended
        } else {
            startIfPossible(&effects)
        }
        return effects
    }

    /// The same picture is wanted with more pixels. Nobody is told how that ends, and what is shown stays until it has.
    package mutating func reload(isInMemory: Bool) -> SlotEffects {
        var effects = SlotEffects()
        guard canReload else { return effects }
        effects.stops = phase == .loading
        attempt += 1
        if isInMemory {
            let wasLoading = phase == .loading && owesOutcome
            arrive(isFromMemory: true, &effects)
            effects.activity = wasLoading ? .ended : nil
        } else {
            phase = .waiting
            startIfPossible(&effects)
        }
        return effects
    }

    /// Nobody can see the view.
    package mutating func hide() -> SlotEffects {
        var effects = SlotEffects()
        guard !isHidden else { return effects }
        isHidden = true
        guard phase == .loading else { return effects }
        switch rules.whenHidden {
        case .goesOn: break
        case .isLowered: effects.urgency = .lowered
        case .isCancelled:
            effects.stops = true
            attempt += 1
            phase = .waiting
        }
        return effects
    }

    /// The view can be seen again.
    package mutating func appear() -> SlotEffects {
        var effects = SlotEffects()
        guard isHidden else { return effects }
        isHidden = false
        if phase == .loading, rules.whenHidden == .isLowered { effects.urgency = .restored }
        startIfPossible(&effects)
        return effects
    }

    /// The transition of the picture that an attempt brought is over.
    package mutating func transitionEnded(_ attempt: Int) -> SlotEffects {
        var effects = SlotEffects()
        guard attempt == self.attempt, phase == .arriving else { return effects }
        phase = .settled
        owesOutcome = false
        effects.outcome = .loaded
        return effects
    }

    // MARK: What an attempt says

    package mutating func progressed(_ attempt: Int) -> SlotEffects {
        var effects = SlotEffects()
        if attempt == self.attempt, phase == .loading, owesOutcome { effects.activity = .progressed }
        return effects
    }

    /// A part of the picture, or an older one, is there.
    ///
    /// - Parameter isWhole: whether it is all of a picture, one that may be out of date.
    package mutating func previewed(_ attempt: Int, isWhole: Bool) -> SlotEffects {
        var effects = SlotEffects()
        guard attempt == self.attempt, phase == .loading, rules.showsPicture else { return effects }
        // What is shown already is all of the picture.
        if !isWhole, content == .picture, !isContentOld { return effects }
        effects.show = isWhole ? .picture(moves: false) : .preview
        setContent(isWhole ? .picture : .preview)
        return effects
    }

    package mutating func finished(_ attempt: Int, _ result: SlotResult) -> SlotEffects {
        var effects = SlotEffects()
        guard attempt == self.attempt, phase == .loading else { return effects }
        effects.activity = owesOutcome ? .ended : nil
        switch result {
        case .picture(let isFromMemory): arrive(isFromMemory: isFromMemory, &effects)
        case .failure: fail(&effects)
        }
        return effects
    }

    // MARK: Steps

    private mutating func startIfPossible(_ effects: inout SlotEffects) {
        guard phase == .waiting, knowsSize, !isHidden || rules.whenHidden != .isCancelled else { return }
        phase = .loading
        effects.start = attempt
        if isHidden, rules.whenHidden == .isLowered { effects.urgency = .lowered }
    }

    private mutating func arrive(isFromMemory: Bool, _ effects: inout SlotEffects) {
        var waits = false
        if rules.showsPicture {
            // A second, larger one takes the first one's place unseen.
            let moves = owesOutcome && (rules.transition == .always || (rules.transition == .ifNew && !isFromMemory))
            effects.show = .picture(moves: moves)
            setContent(.picture)
            waits = moves && rules.waitsForTransition
        }
        phase = waits ? .arriving : .settled
        if waits { return }
        effects.outcome = owesOutcome ? .loaded : nil
        owesOutcome = false
    }

    private mutating func fail(_ effects: inout SlotEffects) {
        phase = .settled
        effects.outcome = owesOutcome ? .failed : nil
        owesOutcome = false
        // A picture of what is wanted, if an older or a smaller one, is better than none.
        if content == .picture, !isContentOld { return }
        if rules.hasFailurePicture {
            effects.show = .failurePicture
            setContent(.failurePicture)
        } else {
            standIn(&effects)
        }
    }

    /// What stands for a picture that does not come.
    private mutating func standIn(_ effects: inout SlotEffects) {
        guard rules.placeholder != .none else { return clear(&effects) }
        // Shown anew even if one is shown: it may be an earlier bind's.
        effects.show = .placeholder
        setContent(.placeholder)
    }

    private mutating func clear(_ effects: inout SlotEffects) {
        if content != .nothing { effects.show = .nothing }
        setContent(.nothing)
    }

    private mutating func setContent(_ content: Content) {
        self.content = content
        isContentOld = false
    }
}
