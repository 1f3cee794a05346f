#if Metrics
public import CoreMetrics
import Synchronization
import SystemThreads

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
    /// Codes with a figure of their own: the number of figures is bounded whatever a program's own parts throw.
    private static let codes: Set<String> = [
        "notAnImage", "truncated", "malformed", "tooManyPixels", "httpStatus", "connectionFailed", "connectionLost",
        "dns", "tls", "timeout", "bodyTooLarge", "fileNotFound", "notCached", "originUnavailable", "outOfMemory",
    ]

    private let timers: Figures<Timer>
    private let counters: Figures<Counter>
    private let recorders: Figures<Recorder>

    /// - Parameters:
    ///   - prefix: what every name begins with.
    ///   - factory: where the metrics are made. Default: the process's own, as it is when the observer is made.
    public init(prefix: String = "webimage", factory: any MetricsFactory = MetricsSystem.factory) {
        timers = Figures { Timer(label: "\(prefix).\($0)", dimensions: $1, factory: factory) }
        counters = Figures { Counter(label: "\(prefix).\($0)", dimensions: $1, factory: factory) }
        recorders = Figures {
            Recorder(label: "\(prefix).\($0)", dimensions: $1, aggregate: true, factory: factory)
        }
    }

    public func observe(_ event: PipelineEvent) {
        let stage = ("stage", event.stage.rawValue)
        let outcome = ("outcome", event.error == nil ? "done" : event.error == .cancelled ? "cancelled" : "failed")
        timers.figure("stage.run", [stage, outcome]).recordNanoseconds(event.run.clampedNanoseconds)
        timers.figure("stage.wait", [stage, outcome]).recordNanoseconds(event.wait.clampedNanoseconds)
        if event.stage == .load { counters.figure("loads", [("tier", event.tier?.rawValue ?? "none")]).increment() }
        if let error = event.error, error != .cancelled {
            let code = Self.codes.contains(error.rawValue) ? error.rawValue : "other"
            counters.figure("errors", [stage, ("code", code)]).increment()
        }
        if let bytes = event.byteCount { recorders.figure("bytes", [stage]).record(bytes) }
    }
}

/// Figures of one kind, each made when it is wanted for the first time, and kept.
private struct Figures<Figure: Sendable>: ~Copyable, Sendable {
    private struct Key: Hashable {
        let name: String
        let dimensions: [String]
    }

    private let make: @Sendable (_ name: String, _ dimensions: [(String, String)]) -> Figure
    private let made = Mutex<[Key: Figure]>([:])

    init(make: @escaping @Sendable (_ name: String, _ dimensions: [(String, String)]) -> Figure) {
        self.make = make
    }

    func figure(_ name: String, _ dimensions: [(String, String)]) -> Figure {
        made.withLock { made in
            let key = Key(name: name, dimensions: dimensions.map(\.1))
            if let figure = made[key] { return figure }
            let figure = make(name, dimensions)
            made[key] = figure
            return figure
        }
    }
}
#endif
