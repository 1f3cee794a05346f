import Testing
import WebImage
import WebImageTesting

/// The machine by itself: what it says is to be done.
struct SlotStateTests {
    private var placeholderAtOnce: SlotRules {
        var rules = SlotRules()
        rules.placeholder = .atOnce
        return rules
    }

    @Test("S009: a bind stops the attempt before, and the load before ends as superseded")
    func bindCancelsPrevious() {
        var state = SlotState()
        #expect(state.bind(SlotWish(.elsewhere), rules: SlotRules()).start == 1)
        let effects = state.bind(SlotWish(.elsewhere), rules: SlotRules())
        #expect(effects.previous == .superseded)
        #expect(effects.stops)
        #expect(effects.start == 2)
        #expect(state.finished(1, .picture(isFromMemory: false)) == SlotEffects())
        #expect(state.finished(2, .picture(isFromMemory: false)).outcome == .loaded)
    }

    @Test("C051: a bind that is not to cancel lets the attempt before go on, unheard")
    func optOut() {
        var state = SlotState()
        _ = state.bind(SlotWish(.elsewhere), rules: SlotRules())
        var rules = SlotRules()
        rules.cancelsPrevious = false
        let effects = state.bind(SlotWish(.elsewhere), rules: rules)
        #expect(!effects.stops)
        #expect(effects.previous == .superseded)
        #expect(state.finished(1, .picture(isFromMemory: false)).show == nil)
    }

    @Test("C297 C052 W008: a load that waits for its transition ends with it, or with whatever comes before that")
    func waitsForTransition() {
        var rules = SlotRules()
        rules.transition = .ifNew
        rules.waitsForTransition = true
        func arriving() -> SlotState {
            var state = SlotState()
            _ = state.bind(SlotWish(.elsewhere), rules: rules)
            let effects = state.finished(1, .picture(isFromMemory: false))
            #expect(effects.outcome == nil)
            #expect(effects.show == .picture(moves: true))
            return state
        }
        var state = arriving()
        #expect(state.transitionEnded(1).outcome == .loaded)
        #expect(state.transitionEnded(1).outcome == nil)

        state = arriving()
        let effects = state.bind(SlotWish(.elsewhere), rules: rules)
        #expect(effects.previous == .loaded)
        #expect(state.transitionEnded(1).outcome == nil)

        state = arriving()
        #expect(state.close().outcome == .loaded)
        state = arriving()
        #expect(state.cancel().outcome == .loaded)
    }

    @Test("W003: what was cancelled shows nothing when it ends all the same")
    func lateAnswer() {
        var state = SlotState()
        _ = state.bind(SlotWish(.elsewhere), rules: placeholderAtOnce)
        #expect(state.cancel().outcome == .cancelled)
        #expect(state.finished(1, .picture(isFromMemory: false)) == SlotEffects())
        #expect(state.previewed(1, isWhole: false) == SlotEffects())
        #expect(state.content == .placeholder)
    }

    @Test(
        "a hidden view's load is lowered, or stops and begins again, or goes on",
        arguments: [
            SlotSettings.WhenHidden.isLowered, .isCancelled, .goesOn,
        ])
    func hidden(_ whenHidden: SlotSettings.WhenHidden) {
        var rules = SlotRules()
        rules.whenHidden = whenHidden
        var state = SlotState()
        _ = state.bind(SlotWish(.elsewhere), rules: rules)
        let (hiding, appearing) = (state.hide(), state.appear())
        switch whenHidden {
        case .isLowered:
            #expect(hiding.urgency == .lowered)
            #expect(appearing.urgency == .restored)
        case .isCancelled:
            #expect(hiding.stops && hiding.outcome == nil)
            #expect(appearing.start == state.attempt)
        case .goesOn:
            #expect(hiding == SlotEffects() && appearing == SlotEffects())
        }
        #expect(state.finished(state.attempt, .failure).outcome == .failed)
    }

    @Test("a load that waits for its size begins with it; what is bound before that never began")
    func waitsForSize() {
        var state = SlotState()
        #expect(state.bind(SlotWish(.elsewhere, knowsSize: false), rules: SlotRules()).start == nil)
        #expect(state.needsSize)
        let effects = state.bind(SlotWish(.elsewhere, knowsSize: false), rules: SlotRules())
        #expect(effects.previous == .superseded && !effects.stops)
        #expect(state.sizeBecameKnown(isInMemory: false).start == 2)
        #expect(state.sizeBecameKnown(isInMemory: false) == SlotEffects())
    }

    @Test("a larger copy takes the place of a smaller one unseen and owes nobody an outcome")
    func reload() {
        var rules = SlotRules()
        rules.transition = .always
        var state = SlotState()
        _ = state.bind(SlotWish(.elsewhere), rules: rules)
        _ = state.finished(1, .picture(isFromMemory: false))
        #expect(state.reload(isInMemory: false).start == 2)
        let effects = state.finished(2, .picture(isFromMemory: false))
        #expect(effects.show == .picture(moves: false))
        #expect(effects.outcome == nil && effects.activity == nil)
        // A copy that does not come leaves the one that is there.
        _ = state.reload(isInMemory: false)
        #expect(state.finished(3, .failure).show == nil)
        #expect(state.content == .picture)
    }
}
