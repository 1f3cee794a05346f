/// How short memory is, told by the time in which tasks did nothing but wait for it.
public enum MemoryPressure: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Some tasks wait.
    case moderate
    /// All tasks wait: the machine or the container does hardly anything else than look for memory.
    case critical

    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool { left.rawValue < right.rawValue }

    /// What a cache keeps of what it has: half under moderate pressure, nothing under critical.
    ///
    /// The system tells again every two seconds for as long as it lasts, so half of the rest goes with every further
    /// call.
    ///
    /// - Parameter cost: what all of it costs now, in any unit. Below zero counts as zero.
    public func keptCost(of cost: Int) -> Int {
        switch self {
        case .moderate: max(0, cost) / 2
        case .critical: 0
        }
    }
}

/// Something that can give memory back.
public protocol MemoryPressureResponder: AnyObject, Sendable {
    /// Gives memory back. Called on a thread of the monitor's own; should not block.
    func relieve(_ pressure: MemoryPressure)
}

extension MemoryCache: MemoryPressureResponder {
    /// Takes out what has outlived its lifetime, and then entries until ``MemoryPressure/keptCost(of:)`` is left. The
    /// weak level stays: what it knows is held by others, so that forgetting it would free nothing and have it loaded a
    /// second time.
    public func relieve(_ pressure: MemoryPressure) {
        change { levels, clock, departures in
            levels.removeExpired(clock: clock, departures: &departures)
            levels.trim(
                toCost: pressure.keptCost(of: levels.strong.totalCost), clock: clock, departures: &departures)
        }
    }
}
