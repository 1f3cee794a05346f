import Synchronization
import Testing
import WebImageTesting

@testable import ImageCaching

/// Whoever asks and leaves has one answer, at once, whatever the tiers do.
@Suite struct TiersCancellationTests {
    enum Operation: CaseIterable {
        case entry, contains, store, remove, removeAll

        func callAsFunction(_ tiers: CacheTiers, _ key: DiskKey) async throws {
            switch self {
            case .entry: _ = try await tiers.entry(for: key)
            case .contains: _ = try await tiers.contains(key)
            case .store: try await tiers.store(entry(1), for: key)
            case .remove: try await tiers.remove(key)
            case .removeAll: try await tiers.removeAll()
            }
        }

        private func entry(_ seed: UInt64) -> CacheEntry { ImageCachingTests.entry(seed) }
    }

    private let key = ImageCachingTests.key("a")

    @Test(
        "C136 W011 W012: a cancelled operation throws once, though no tier ever answers",
        arguments: Operation.allCases, TierPolicy.allCases)
    func cancelled(operation: Operation, policy: TierPolicy) async throws {
        let fixture = TiersFixture(3, policies: TierPolicies(all: policy))
        for tier in fixture.scripted { tier.behaviour = .hangs }
        let outcomes = Mutex<[Bool]>([])
        let task = Task {
            do {
                try await operation(fixture.tiers, key)
                outcomes.withLock { $0.append(true) }
            } catch is CancellationError {
                outcomes.withLock { $0.append(false) }
            }
        }
        let asked = policy == .lowestOnly ? 2 : 0
        await fixture.scripted[asked].arrivals.reaches(1)
        task.cancel()
        task.cancel()
        try await task.value
        #expect(outcomes.withLock { $0 } == [false])
        #expect(fixture.warnings.isEmpty && fixture.tiers.statistics.allSatisfy { $0.failures + $0.late == 0 })
        for tier in fixture.scripted { tier.letGo() }
    }

    @Test("C136: in turn, no further tier is asked after the cancellation")
    func noFurther() async throws {
        let fixture = TiersFixture(2, policies: TierPolicies(all: .serial))
        fixture.scripted[0].behaviour = .hangs
        let task = Task { try await fixture.tiers.store(entry(1), for: key) }
        await fixture.scripted[0].arrivals.reaches(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(fixture.scripted[1].calls.isEmpty)
        fixture.scripted[0].letGo()
    }

    @Test("W012: cancelled before it is asked, a list asks nobody")
    func cancelledBefore() async throws {
        let fixture = TiersFixture(2, policies: TierPolicies(all: .concurrent))
        let gate = AsyncGate()
        let task = Task {
            try? await gate.pass()
            try await fixture.tiers.remove(key)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(fixture.scripted.allSatisfy { $0.calls.isEmpty })
    }

    @Test(
        "W011: answer, deadline and departure at the same moment: exactly one is first, and whoever waits hears of that one"
    )
    func race() async {
        for _ in 0..<2_000 {
            let call = TierCall<Int>()
            let firsts = Tally()
            let heard = await withTaskGroup(of: Void.self) { group in
                for outcome in [TierCall<Int>.Outcome.answered(1), .late, .left] {
                    group.addTask {
                        if call.settle(outcome) { firsts.add() }
                    }
                }
                return await call.outcome
            }
            #expect(firsts.count == 1)
            #expect(!call.settle(.late))
            if case .failed = heard { Issue.record("nobody said so") }
        }
    }

    @Test("C136: many callers that come and leave at any moment have one answer each, and nothing stays behind")
    func crowd() async throws {
        let fixture = TiersFixture(2, policies: TierPolicies(all: .concurrent), limits: patient)
        for tier in fixture.scripted { tier.entries[key] = entry(5) }
        let (answers, cancellations) = (Tally(), Tally())
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<400 {
                group.addTask {
                    let task = Task { try await fixture.tiers.entry(for: key) }
                    if index.isMultiple(of: 2) { task.cancel() }
                    do {
                        #expect(try await task.value == entry(5))
                        answers.add()
                    } catch {
                        cancellations.add()
                    }
                }
            }
        }
        #expect(answers.count + cancellations.count == 400 && answers.count >= 200)
        for tier in fixture.scripted { await tier.departures.reaches(tier.arrivals.count) }
        #expect(fixture.warnings.isEmpty)
    }

    private var patient: TierLimits {
        var limits = TierLimits()
        limits.abandonedCalls = 1_000
        return limits
    }
}
