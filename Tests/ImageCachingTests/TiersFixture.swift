import ByteBuffers
import ImageCaching
import Synchronization
import WebImageTesting

/// A list of scripted tiers whose deadlines pass when the test says so, and what the list warned of.
final class TiersFixture: Sendable {
    let scripted: [ScriptedTier]
    let tiers: CacheTiers
    let clock = ManualClock()
    /// All deadlines stand before it.
    let deadline = AsyncGate()
    private let warned: Log

    /// The list must not hold the fixture.
    private final class Log: Sendable {
        let warnings = Mutex<[TierWarning]>([])
    }

    init(_ count: Int, policies: TierPolicies = TierPolicies(), limits: TierLimits = TierLimits()) {
        scripted = (0..<count).map { ScriptedTier(name: "tier \($0)", limits: limits) }
        let (deadline, log) = (deadline, Log())
        warned = log
        tiers = CacheTiers(
            scripted, policies: policies, now: clock.now, sleep: { _ in try await deadline.pass() },
            onWarning: { warning in log.warnings.withLock { $0.append(warning) } })
    }

    var warnings: [TierWarning] { warned.warnings.withLock { $0 } }
}

func entry(_ seed: UInt64) -> CacheEntry {
    CacheEntry(payload(100, seed: seed), metadata: ["seed": "\(seed)"], storedAt: 1_800_000_000_000_000_000)
}
