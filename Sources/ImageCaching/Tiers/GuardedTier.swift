import Synchronization

/// A tier behind its deadline: every call returns in time, and none of them throws.
///
/// A call runs in a task of its own, which is cancelled and left behind when it takes too long; a tier that ignores this
/// holds up nobody, and is not asked any more once too many calls are stuck in it.
final class GuardedTier: Sendable {
    private struct State {
        var health: TierHealth
        var statistics: TierStatistics
    }

    let tier: any CacheTier
    let limits: TierLimits
    private let time: TierTime
    private let onWarning: @Sendable (TierWarning) -> Void
    private let state: Mutex<State>

    init(_ tier: any CacheTier, _ time: TierTime, _ onWarning: @escaping @Sendable (TierWarning) -> Void) {
        self.tier = tier
        limits = tier.limits
        self.time = time
        self.onWarning = onWarning
        state = Mutex(State(health: TierHealth(limits), statistics: TierStatistics(tier: tier.name)))
    }

    var statistics: TierStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.isWorking = state.health.isWorking
            return statistics
        }
    }

    /// Asks the tier.
    ///
    /// - Parameters:
    ///   - deadline: how long it may take; nil for ever.
    ///   - note: counts an answer.
    /// - Returns: nil when there is no answer: the tier is not asked now, has failed, took too long, or whoever asks was
    ///   cancelled.
    func ask<Value: Sendable>(
        within deadline: Duration?, _ question: @escaping @Sendable (any CacheTier) async throws -> Value,
        noting note: (inout TierStatistics, Value) -> Void
    ) async -> Value? {
        guard !Task.isCancelled, let permit = admit() else { return nil }
        let call = TierCall<Value>()
        let outcome = await withTaskCancellationHandler {
            let work = Task { [self] in
                let outcome: TierCall<Value>.Outcome
                do { outcome = .answered(try await question(tier)) } catch { outcome = .failed(error) }
                if !call.settle(outcome) { state.withLock { $0.health.comeBack() } }
            }
            let alarm = deadline.map { deadline in
                Task { [time] in
                    guard (try? await time.sleep(deadline)) != nil else { return }
                    call.settle(.late)
                }
            }
            defer {
                work.cancel()
                alarm?.cancel()
            }
            return await call.outcome
        } onCancel: {
            call.settle(.left)
        }
        switch outcome {
        case .answered(let value):
            end(permit, .answered) { note(&$0, value) }
            return value
        case .failed(let error):
            end(permit, .failed, because: "\(error)") { $0.failures += 1 }
        case .late:
            end(permit, .failed, because: "it took longer than \(deadline ?? .zero).", isAbandoned: true) {
                $0.late += 1
            }
        case .left:
            end(permit, .left, isAbandoned: true) { _ in }
        }
        return nil
    }

    private func admit() -> TierHealth.Permit? {
        let now = time.now()
        return state.withLock { state in
            let permit = state.health.admit(now)
            if permit == nil { state.statistics.skipped += 1 }
            return permit
        }
    }

    private func end(
        _ permit: TierHealth.Permit, _ ending: TierHealth.Ending, because reason: String = "",
        isAbandoned: Bool = false,
        counting count: (inout TierStatistics) -> Void
    ) {
        let now = time.now()
        let isNews = state.withLock { state in
            if isAbandoned { state.health.abandon() }
            count(&state.statistics)
            return state.health.end(permit, ending, now)
        }
        if isNews { onWarning(TierWarning(tier: tier.name, reason: reason)) }
    }
}

/// The time of deadlines and pauses, so that tests need not wait for it.
struct TierTime: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}
