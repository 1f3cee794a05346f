import Testing
import WebImage
import WebImageTesting

/// A million random things that happen to one slot, and what must be true whatever their order.
struct SlotModelTests {
    /// What the outside of a slot sees.
    private struct Outside {
        /// Of each load, by its number: how it ended.
        var endings: [SlotEffects.Ending?] = []
        /// Attempts that nobody has stopped, with the load that they are for.
        var running: [(attempt: Int, load: Int)] = []
        /// The load whose picture is shown, if one is.
        var pictured: Int?
        var content = SlotState.Content.nothing
        /// The loads that asked that the picture before stays.
        var keepers: Set<Int> = []
        /// Of each load, what it is about.
        var items: [Int] = []

        var current: Int { endings.count - 1 }

        mutating func end(_ load: Int, _ ending: SlotEffects.Ending) {
            check(endings[load] == nil, "load \(load) ends twice")
            endings[load] = ending
        }

        mutating func apply(_ effects: SlotEffects, load: Int) {
            if let previous = effects.previous { end(load - 1, previous) }
            if effects.stops { running.removeAll { $0.load == load || $0.load == load - 1 } }
            if let attempt = effects.start { running.append((attempt, load)) }
            if let outcome = effects.outcome { end(load, outcome) }
            guard let show = effects.show else { return }
            pictured = nil
            switch show {
            case .nothing: content = .nothing
            case .placeholder: content = .placeholder
            case .preview: content = .preview
            case .failurePicture: content = .failurePicture
            case .picture:
                content = .picture
                pictured = load
            }
        }
    }

    private static func rules(_ generator: inout SeededGenerator) -> SlotRules {
        var rules = SlotRules()
        rules.placeholder = [.none, .atOnce, .afterFailure].randomElement(using: &generator) ?? .none
        rules.hasFailurePicture = .random(using: &generator)
        rules.keepsPrevious = Int.random(in: 0..<4, using: &generator) == 0
        rules.cancelsPrevious = Int.random(in: 0..<4, using: &generator) > 0
        rules.transition = [.never, .ifNew, .always].randomElement(using: &generator) ?? .never
        rules.waitsForTransition = .random(using: &generator)
        rules.whenHidden = [.isLowered, .isCancelled, .goesOn].randomElement(using: &generator) ?? .isLowered
        return rules
    }

    @Test("P5 W003 W008 W012: whatever happens in whatever order, the last bind wins and each load ends exactly once")
    func model() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            var state = SlotState()
            var outside = Outside()
            for _ in 0..<500 {
                step(&state, &outside, &generator)
                check(state.content == outside.content, "\(state.content) is shown as \(outside.content)")
                if let pictured = outside.pictured, pictured != outside.current {
                    // Only until the new picture comes, and only where that was asked for.
                    let isSame = outside.items[pictured] == outside.items[outside.current]
                    check(
                        isSame || outside.keepers.contains(outside.current),
                        "a picture of load \(pictured) stays unasked")
                    check(
                        isSame || (state.isLoading && state.isContentOld),
                        "a picture of load \(pictured) stays for ever")
                }
            }
            if !outside.endings.isEmpty {
                outside.apply(state.close(), load: outside.current)
                // What is wanted of a view that is gone ends at once.
                outside.endings.append(nil)
                outside.items.append(outside.current)
                outside.apply(state.bind(SlotWish(.elsewhere), rules: SlotRules()), load: outside.current)
                #expect(outside.endings.last == .some(.cancelled))
                #expect(outside.endings.allSatisfy { $0 != nil })
            }
        }
    }

    private func step(_ state: inout SlotState, _ outside: inout Outside, _ generator: inout SeededGenerator) {
        let roll = Int.random(in: 0..<100, using: &generator)
        switch roll {
        case 0..<30:
            let rules = Self.rules(&generator)
            let source: SlotWish.Source =
                [.elsewhere, .elsewhere, .elsewhere, .memory, .nowhere]
                .randomElement(using: &generator) ?? .memory
            outside.endings.append(nil)
            if rules.keepsPrevious { outside.keepers.insert(outside.current) }
            let isSame = source != .nowhere && !outside.items.isEmpty && Int.random(in: 0..<3, using: &generator) == 0
            outside.items.append(isSame ? outside.items.last ?? 0 : outside.current)
            let wish = SlotWish(
                source, isSameItem: isSame, knowsSize: Int.random(in: 0..<4, using: &generator) > 0)
            outside.apply(state.bind(wish, rules: rules), load: outside.current)
        case 30..<36: outside.apply(state.cancel(), load: outside.current)
        case 36..<38: outside.apply(state.reset(), load: outside.current)
        case 38..<44: outside.apply(state.hide(), load: outside.current)
        case 44..<50: outside.apply(state.appear(), load: outside.current)
        case 50..<55: outside.apply(state.sizeBecameKnown(isInMemory: roll == 50), load: outside.current)
        case 55..<60: outside.apply(state.reload(isInMemory: roll == 55), load: outside.current)
        case 60..<66:
            outside.apply(
                state.transitionEnded(state.attempt - Int.random(in: 0..<2, using: &generator)), load: outside.current)
        default:
            // Any attempt says something, also one that was stopped just now: it may not have heard of that yet.
            let attempt =
                Bool.random(using: &generator)
                ? state.attempt : Int.random(in: 0...max(0, state.attempt), using: &generator)
            let effects: SlotEffects =
                switch roll {
                case 66..<72: state.progressed(attempt)
                case 72..<78: state.previewed(attempt, isWhole: Bool.random(using: &generator))
                case 78..<92: state.finished(attempt, .picture(isFromMemory: Bool.random(using: &generator)))
                default: state.finished(attempt, .failure)
                }
            if effects.show != nil || effects.outcome != nil {
                let isRunning = outside.running.contains { $0.attempt == attempt && $0.load == outside.current }
                check(isRunning, "attempt \(attempt) is heard, which does not run")
            }
            outside.apply(effects, load: outside.current)
            if roll >= 78 { outside.running.removeAll { $0.attempt == attempt } }
        }
    }
}

/// As `#expect`, which would take most of the time of a million steps.
private func check(_ condition: Bool, _ comment: @autoclosure () -> String) {
    if !condition { Issue.record("\(comment())") }
}
