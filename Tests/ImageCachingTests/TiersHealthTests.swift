import Testing
import WebImageTesting

@testable import ImageCaching

/// When a tier is asked: the value alone.
@Suite struct TiersHealthTests {
    private let start = ContinuousClock.now
    private let pause = TierLimits().pause

    /// `#expect` cannot change a value.
    private final class Health {
        private var value = TierHealth(TierLimits())

        var isWorking: Bool { value.isWorking }

        func admit(_ now: TierHealth.Instant) -> TierHealth.Permit? { value.admit(now) }

        func end(_ permit: TierHealth.Permit, _ ending: TierHealth.Ending, _ now: TierHealth.Instant) -> Bool {
            value.end(permit, ending, now)
        }
    }

    private func broken() -> Health {
        let health = Health()
        for _ in 0..<3 { _ = health.end(.usual, .failed, start) }
        return health
    }

    @Test("failures in a row break it down, an answer between them starts the count anew")
    func inARow() {
        let health = Health()
        for _ in 0..<20 {
            #expect(!health.end(.usual, .failed, start))
            #expect(!health.end(.usual, .failed, start))
            #expect(!health.end(.usual, .answered, start))
        }
        #expect(health.isWorking && health.admit(start) == .usual)
    }

    @Test("after the pause one call tries it, and the others wait for what comes of that")
    func trial() {
        let health = broken()
        #expect(!health.isWorking && health.admit(start + pause - .nanoseconds(1)) == nil)
        #expect(health.admit(start + pause) == .trial)
        #expect(health.admit(start + pause) == nil)
        #expect(!health.end(.trial, .failed, start + pause))
        #expect(health.admit(start + pause) == nil)
        #expect(health.admit(start + pause * 2) == .trial)
        #expect(!health.end(.trial, .answered, start + pause * 2))
        #expect(health.admit(start + pause * 2) == .usual)
    }

    @Test("a trial whose caller leaves is made by the next")
    func trialIsLeft() {
        let health = broken()
        #expect(health.admit(start + pause) == .trial)
        #expect(!health.end(.trial, .left, start + pause))
        #expect(health.admit(start + pause) == .trial)
    }

    @Test("calls from before the breakdown: an answer ends it, a failure does not lengthen it")
    func lateNews() {
        let health = broken()
        #expect(!health.end(.usual, .failed, start + pause - .seconds(1)))
        #expect(health.admit(start + pause) == .trial)
        #expect(!health.end(.usual, .failed, start + pause))
        #expect(!health.end(.usual, .left, start + pause))
        #expect(health.admit(start + pause) == nil)
        #expect(!health.end(.usual, .answered, start + pause))
        #expect(health.isWorking)
    }

    @Test(
        "P34: on any walk a broken tier is asked at most once a pause, and a breakdown is told no more than once in 300 s",
        arguments: 0..<10 as Range<UInt64>)
    func walk(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let health = Health()
        var now = start
        var permits: [TierHealth.Permit] = []
        var trials: [ContinuousClock.Instant] = []
        var news: [ContinuousClock.Instant] = []
        var row = 0
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: now += .milliseconds(Int.random(in: 0..<8_000, using: &random))
            case 1...4:
                let wasWorking = health.isWorking
                guard let permit = health.admit(now) else {
                    #expect(!wasWorking)
                    continue
                }
                #expect(wasWorking == (permit == .usual))
                if permit == .trial {
                    #expect(!permits.contains(.trial))
                    trials.append(now)
                }
                permits.append(permit)
            default:
                guard !permits.isEmpty else { continue }
                let permit = permits.remove(at: Int.random(in: 0..<permits.count, using: &random))
                let ending =
                    [TierHealth.Ending.failed, .failed, .failed, .failed, .answered, .left]
                    .randomElement(using: &random) ?? .left
                let wasWorking = health.isWorking
                if health.end(permit, ending, now) { news.append(now) }
                switch ending {
                case .answered:
                    row = 0
                    #expect(health.isWorking)
                case .failed where wasWorking:
                    row += 1
                    #expect(health.isWorking == (row < 3))
                default: #expect(health.isWorking == wasWorking)
                }
                if !health.isWorking { row = 0 }
            }
        }
        #expect(!news.isEmpty && !trials.isEmpty)
        for (earlier, later) in zip(news, news.dropFirst()) { #expect(later - earlier >= .seconds(300)) }
    }
}
