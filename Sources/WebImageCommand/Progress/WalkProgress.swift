/// How far a walk over many entries has come, on a terminal only, and only when the walk takes longer than a moment.
///
/// Not for several threads: a walk has one.
final class WalkProgress {
    /// When something is drawn. A value; times are what the clock says.
    struct Plan {
        static let patience = Duration.milliseconds(500)
        static let interval = Duration.milliseconds(100)

        private let total: Int
        private(set) var count = 0
        private var next: ContinuousClock.Instant

        init(total: Int, start: ContinuousClock.Instant) {
            self.total = total
            next = start + Self.patience
        }

        /// Counts one entry.
        ///
        /// - Returns: what is to be drawn now, if anything is.
        mutating func step(_ now: () -> ContinuousClock.Instant) -> String? {
            count += 1
            // Entries are small work: the clock is read for one in 64.
            guard count.isMultiple(of: 64) else { return nil }
            let now = now()
            guard now >= next else { return nil }
            next = now + Self.interval
            // Others may store meanwhile, or the counters may be wrong.
            guard total >= count else { return "\(count) entries" }
            return "\(count) of \(total) entries, \(count * 100 / total) %"
        }
    }

    private var plan: Plan
    private let isOn: Bool
    private var hasDrawn = false

    init(total: Int, isOn: Bool) {
        self.isOn = isOn && Output.isErrorTerminal
        plan = Plan(total: total, start: .now)
    }

    func step() {
        guard isOn, let text = plan.step({ .now }) else { return }
        hasDrawn = true
        Output.control("\r\(text)\u{1B}[K")
    }

    /// Takes the line away, so that what follows starts on a clean one (ECMA-48: EL).
    func end() {
        if hasDrawn { Output.control("\r\u{1B}[K") }
        hasDrawn = false
    }
}
