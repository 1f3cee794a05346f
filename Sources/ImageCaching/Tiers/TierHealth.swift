/// Whether a tier is asked: it works, it has broken down and is left alone, or one call tries whether it works again.
///
/// A value; ``GuardedTier`` holds the lock around it.
struct TierHealth {
    typealias Instant = ContinuousClock.Instant

    /// What a call was let through as. It has to be given back, once, with how the call ended.
    enum Permit: Hashable { case usual, trial }

    /// How a call ended, as far as the tier is to be judged by it.
    enum Ending: Hashable {
        case answered, failed
        /// Whoever asked has left: this says nothing of the tier.
        case left
    }

    private enum Phase {
        case working(failures: Int)
        case broken(until: Instant)
        case onTrial
    }

    private static let quietTime = Duration.seconds(300)

    private let limits: TierLimits
    private var phase = Phase.working(failures: 0)
    private var abandoned = 0
    private var lastNews: Instant?

    init(_ limits: TierLimits) {
        self.limits = limits
    }

    var isWorking: Bool { if case .working = phase { true } else { false } }

    /// - Returns: nil when the tier is not to be asked now.
    mutating func admit(_ now: Instant) -> Permit? {
        guard abandoned < max(1, limits.abandonedCalls) else { return nil }
        switch phase {
        case .working: return .usual
        case .onTrial: return nil
        case .broken(let end):
            guard now >= end else { return nil }
            phase = .onTrial
            return .trial
        }
    }

    /// - Returns: whether this is a breakdown that nobody has heard of.
    mutating func end(_ permit: Permit, _ ending: Ending, _ now: Instant) -> Bool {
        switch (phase, permit, ending) {
        case (_, _, .answered):
            // Whatever it was asked as: it works.
            phase = .working(failures: 0)
        case (.onTrial, .trial, .left):
            phase = .broken(until: now)
        case (.onTrial, .trial, .failed):
            phase = .broken(until: now + limits.pause)
        case (.working(let failures), _, .failed):
            guard failures + 1 >= max(1, limits.failuresToBreakDown) else {
                phase = .working(failures: failures + 1)
                return false
            }
            phase = .broken(until: now + limits.pause)
            if let lastNews, now - lastNews < Self.quietTime { return false }
            lastNews = now
            return true
        default:
            // Calls from before the breakdown say nothing new.
            break
        }
        return false
    }

    /// A call was given up while the tier was still at it.
    mutating func abandon() { abandoned += 1 }

    /// The tier is done with a call that was given up. This may be told before ``abandon()`` is.
    mutating func comeBack() { abandoned -= 1 }
}
