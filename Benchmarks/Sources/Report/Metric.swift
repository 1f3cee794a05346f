import Foundation

/// What is measured, under the name that the benchmark tool gives to its file.
enum Metric: String {
    case time = "wallClock"
    /// A time that the benchmark measured by itself.
    case each
    case allocations
    case footprint
    case requests
    case decodes

    /// How many of the tool's units are one of ours.
    var divisor: Double { self == .allocations || self == .each ? 1_000 : 1 }

    /// A figure for people.
    func text(_ value: Double) -> String {
        switch self {
        case .time, .each:
            switch value {
            case ..<1_000: number(value, "ns")
            case ..<1e6: number(value / 1e3, "µs")
            default: number(value / 1e6, "ms")
            }
        case .footprint: number(value / 1e6, "MB")
        case .allocations, .requests, .decodes: number(value, self == .allocations ? "blocks" : rawValue)
        }
    }

    private func number(_ value: Double, _ unit: String) -> String {
        let digits = value == value.rounded() || value >= 100 ? 0 : value >= 10 ? 1 : 2
        return String(format: "%.\(digits)f %@", value, unit)
    }
}
