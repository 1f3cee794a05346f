import Synchronization

/// One call of a tier: its answer, the deadline and the departure of whoever asked race, and the first of them counts.
final class TierCall<Value: Sendable>: Sendable {
    enum Outcome: Sendable {
        case answered(Value)
        case failed(any Error)
        case late
        case left
    }

    /// What has come, and who waits for it. Either may be first.
    struct Race {
        private enum State {
            case open
            case awaited(UnsafeContinuation<Outcome, Never>)
            case decided(Outcome)
            case over
        }

        private var state = State.open

        /// - Returns: whether this came first, and who is to be told.
        mutating func settle(_ outcome: Outcome) -> (isFirst: Bool, waiter: UnsafeContinuation<Outcome, Never>?) {
            switch state {
            case .open:
                state = .decided(outcome)
                return (true, nil)
            case .awaited(let waiter):
                state = .over
                return (true, waiter)
            case .decided, .over:
                return (false, nil)
            }
        }

        /// - Returns: the outcome if it is there already. Called once.
        mutating func wait(_ waiter: UnsafeContinuation<Outcome, Never>) -> Outcome? {
            if case .decided(let outcome) = state {
                state = .over
                return outcome
            }
            state = .awaited(waiter)
            return nil
        }
    }

    private let race = Mutex(Race())

    /// - Returns: whether this came first.
    @discardableResult
    func settle(_ outcome: Outcome) -> Bool {
        let (isFirst, waiter) = race.withLock { $0.settle(outcome) }
        waiter?.resume(returning: outcome)
        return isFirst
    }

    /// What came first. Asked for once.
    var outcome: Outcome {
        get async {
            await withUnsafeContinuation { waiter in
                if let outcome = race.withLock({ $0.wait(waiter) }) { waiter.resume(returning: outcome) }
            }
        }
    }
}
