#if Metrics
public import CoreMetrics
import Synchronization

/// Counts and times every stage of every load with swift-metrics.
///
/// | metric | kind | dimensions |
/// |---|---|---|
/// | `webimage.stage.run`, `webimage.stage.wait` | timer | `stage`, `outcome` |
/// | `webimage.loads` | counter | `tier` (`memory`, `disk`, `network`, `local`, or `none` where a load failed) |
/// | `webimage.errors` | counter | `stage`, `code`, the rarer ones together as `other`; a cancellation is no error |
/// | `webimage.bytes` | recorder | `stage` |
///
/// ```swift
/// configuration.observers = [MetricsObserver()]
/// ```
///
/// Behind the package trait `Metrics`, which is off by default.
public final class MetricsObserver: PipelineObserver {
    private struct Key: Hashable {
        let name: String
        let dimensions: [String]
    }

    /// Made once each, and kept.
    private struct Made {
        var timers: [Key: Timer] = [:]
        var counters: [Key: Counter] = [:]
        var recorders: [Key: Recorder] = [:]
    }

    /// Codes with a figure of their own: the number of figures is bounded whatever a program's own parts throw.
    private static let codes: Set<String> = [
        "notAnImage", "truncated", "malformed", "tooManyPixels", "httpStatus", "connectionFailed", "connectionLost",
        "dns", "tls", "timeout", "bodyTooLarge", "fileNotFound", "notCached", "originUnavailable", "outOfMemory",
    ]

    private let prefix: String
    private let factory: any MetricsFactory
    private let made = Mutex(Made())

    /// - Parameters:
    ///   - prefix: what every name begins with.
    ///   - factory: where the metrics are made. Default: the process's own, as it is when the observer is made.
    public init(prefix: String = "webimage", factory: any MetricsFactory = MetricsSystem.factory) {
        self.prefix = prefix
        self.factory = factory
    }

    public func observe(_ event: PipelineEvent) {
        let stage = ("stage", event.stage.rawValue)
        let outcome = ("outcome", event.error == nil ? "done" : event.error == .cancelled ? "cancelled" : "failed")
        timer("stage.run", [stage, outcome]).recordNanoseconds(event.run.nanoseconds)
        timer("stage.wait", [stage, outcome]).recordNanoseconds(event.wait.nanoseconds)
        if event.stage == .load { counter("loads", [("tier", event.tier?.rawValue ?? "none")]).increment() }
        if let error = event.error, error != .cancelled {
            let code = Self.codes.contains(error.rawValue) ? error.rawValue : "other"
            counter("errors", [stage, ("code", code)]).increment()
        }
        if let bytes = event.byteCount { recorder("bytes", [stage]).record(bytes) }
    }

    private func timer(_ name: String, _ dimensions: [(String, String)]) -> Timer {
        made.withLock { made in
            let key = Key(name: name, dimensions: dimensions.map(\.1))
            if let timer = made.timers[key] { return timer }
            let timer = Timer(label: "\(prefix).\(name)", dimensions: dimensions, factory: factory)
            made.timers[key] = timer
            return timer
        }
    }

    private func counter(_ name: String, _ dimensions: [(String, String)]) -> Counter {
        made.withLock { made in
            let key = Key(name: name, dimensions: dimensions.map(\.1))
            if let counter = made.counters[key] { return counter }
            let counter = Counter(label: "\(prefix).\(name)", dimensions: dimensions, factory: factory)
            made.counters[key] = counter
            return counter
        }
    }

    private func recorder(_ name: String, _ dimensions: [(String, String)]) -> Recorder {
        made.withLock { made in
            let key = Key(name: name, dimensions: dimensions.map(\.1))
            if let recorder = made.recorders[key] { return recorder }
            let recorder = Recorder(
                label: "\(prefix).\(name)", dimensions: dimensions, aggregate: true, factory: factory)
            made.recorders[key] = recorder
            return recorder
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }
}
#endif
