import Benchmark
import CAllocations

extension BenchmarkMetric {
    /// Blocks that the measuring thread asked for, in thousandths of one. Zero where nothing counts them. The tool divides
    /// by the number of operations.
    static let allocations = BenchmarkMetric.custom("allocations")
    /// How far the resident memory went above what it was before the operation, in bytes.
    static let footprint = BenchmarkMetric.custom("footprint", useScalingFactor: false)
    /// What one operation takes, in thousandths of a nanosecond, where the benchmark measures it by itself. The tool
    /// divides by the number of operations.
    static let each = BenchmarkMetric.custom("each")
    static let requests = BenchmarkMetric.custom("requests", useScalingFactor: false)
    static let decodes = BenchmarkMetric.custom("decodes", useScalingFactor: false)
}

extension Benchmark.Configuration {
    /// - Parameter scale: how many operations one measurement has.
    static func measuring(
        _ metrics: [BenchmarkMetric] = [.wallClock, .allocations], scale: BenchmarkScalingFactor = .one,
        for duration: Duration = .seconds(2), atMost iterations: Int = 100_000, warmup: Int = 2
    ) -> Benchmark.Configuration {
        Benchmark.Configuration(
            metrics: metrics, timeUnits: .nanoseconds,
            // Else large figures are written in thousands or millions without a word.
            units: Dictionary(uniqueKeysWithValues: metrics.map { ($0, .count) }),
            warmupIterations: warmup, scalingFactor: scale, maxDuration: duration, maxIterations: iterations)
    }
}

/// Registers a benchmark of something synchronous: its time, and what it allocates.
///
/// - Parameters:
///   - makeState: prepares what it works on, in the process that measures, before anything is measured.
///   - clearUp: between two measurements, not measured.
///   - operations: does the operation as often as it is told.
func measure<State>(
    _ name: String, _ configuration: Benchmark.Configuration = .measuring(),
    on makeState: @escaping () async throws -> State, clearUp: @escaping (State) throws -> Void = { _ in },
    run operations: @escaping (State, _ count: Int) throws -> Void
) {
    let count = configuration.scalingFactor.rawValue
    Benchmark(name, configuration: configuration) { (benchmark: Benchmark, state: State) throws -> Void in
        benchmark.startMeasurement()
        let before = alloc_count()
        try operations(state, count)
        let allocations = alloc_count() - before
        benchmark.stopMeasurement()
        benchmark.measurement(.allocations, Int(allocations) * 1_000)
        try clearUp(state)
    } setup: {
        try await makeState()
    }
}

/// A control did not do its work.
struct ControlFailure: Error {
    let name: String

    static func check(_ status: Int32, _ name: String) throws {
        guard status == 0 else { throw ControlFailure(name: name) }
    }
}
