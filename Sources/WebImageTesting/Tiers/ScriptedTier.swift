public import ImageCaching
import Synchronization

/// A cache tier in memory that works, fails, waits, hangs or lies, as a test told it to.
///
/// ```swift
/// let tier = ScriptedTier()
/// configuration.tiers = CacheTiers([tier])
/// tier.behaviour = .fails
/// ```
public final class ScriptedTier: CacheTier {
    /// What becomes of a call.
    public enum Behaviour: Sendable {
        case works
        /// It throws.
        case fails
        /// It does not return until the task is cancelled, or ``ScriptedTier/letGo()`` is called.
        case waits
        /// It does not return until ``ScriptedTier/letGo()`` is called, cancelled or not.
        case hangs
        /// It has this under every key, and forgets what it is given.
        case lies(CacheEntry)
    }

    /// What a call asked for.
    public enum Call: String, Hashable, Sendable {
        case entry, contains, store, remove, removeAll
    }

    /// What ``Behaviour/fails`` throws.
    public struct Failure: Error, CustomStringConvertible {
        public var description: String { "The tier was told to fail." }
    }

    private struct State {
        var behaviour = Behaviour.works
        var entries: [DiskKey: CacheEntry] = [:]
        var calls: [Call] = []
        var hanging: [CheckedContinuation<Void, Never>] = []
        var hasLetGo = false
    }

    public let name: String
    public let limits: TierLimits

    /// Counts calls as they come in.
    public let arrivals = Tally()
    /// Counts calls that have come back, with an answer or an error.
    public let departures = Tally()

    private let gate = AsyncGate()
    private let state = Mutex(State())

    public init(name: String = "scripted", limits: TierLimits = TierLimits()) {
        self.name = name
        self.limits = limits
    }

    public var behaviour: Behaviour {
        get { state.withLock { $0.behaviour } }
        set { state.withLock { $0.behaviour = newValue } }
    }

    /// What it holds.
    public var entries: [DiskKey: CacheEntry] {
        get { state.withLock { $0.entries } }
        set { state.withLock { $0.entries = newValue } }
    }

    /// The calls so far, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Lets the calls go on that wait or hang now, and, as if it worked, all that come to wait later.
    public func letGo() {
        gate.open()
        let hanging = state.withLock { state in
            state.hasLetGo = true
            defer { state.hanging = [] }
            return state.hanging
        }
        for continuation in hanging { continuation.resume() }
    }

    public func entry(for key: DiskKey) async throws -> CacheEntry? {
        try await take(.entry) { $0[key] } ?? lie
    }

    public func contains(_ key: DiskKey) async throws -> Bool {
        try await take(.contains) { $0[key] != nil } || lie != nil
    }

    public func store(_ entry: CacheEntry, for key: DiskKey) async throws {
        try await take(.store) { $0[key] = entry }
    }

    public func remove(_ key: DiskKey) async throws {
        try await take(.remove) { $0[key] = nil }
    }

    public func removeAll() async throws {
        try await take(.removeAll) { $0 = [:] }
    }

    private var lie: CacheEntry? { if case .lies(let entry) = behaviour { entry } else { nil } }

    private func take<Result: Sendable>(
        _ call: Call, _ body: @Sendable (inout [DiskKey: CacheEntry]) -> Result
    ) async throws -> Result {
        let behaviour = state.withLock { state in
            state.calls.append(call)
            return state.behaviour
        }
        arrivals.add()
        defer { departures.add() }
        switch behaviour {
        case .works: break
        case .fails: throw Failure()
        case .waits: try await gate.pass()
        case .hangs:
            await withCheckedContinuation { continuation in
                let mayGo = state.withLock { state in
                    if !state.hasLetGo { state.hanging.append(continuation) }
                    return state.hasLetGo
                }
                if mayGo { continuation.resume() }
            }
        case .lies:
            var forgotten: [DiskKey: CacheEntry] = [:]
            return body(&forgotten)
        }
        return state.withLock { body(&$0.entries) }
    }
}
