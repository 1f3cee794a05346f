#if Tracing
import ImageFetching
import SystemThreads
public import Tracing

/// Makes a span of swift-distributed-tracing of every stage of every load.
///
/// Stages are shared by all loads that need them, so their spans are no children of a load's span: all of them belong to
/// the context that the observer was made with. Waiting is not part of a span; it is the attribute `wait_ns`.
///
/// ```swift
/// configuration.observers = [TraceObserver()]
/// ```
///
/// Behind the package trait `Tracing`, which is off by default.
public struct TraceObserver: PipelineObserver {
    private let tracer: any Tracer
    private let context: ServiceContext
    private let wallClock: @Sendable () -> Int64
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - tracer: what makes the spans. Default: the process's own, as it is when the observer is made.
    ///   - context: what they belong to. Default: nothing.
    public init(tracer: any Tracer = InstrumentationSystem.tracer, context: ServiceContext = .topLevel) {
        self.init(tracer: tracer, context: context, wallClock: WallClock.system, now: { .now })
    }

    init(
        tracer: any Tracer, context: ServiceContext, wallClock: @escaping @Sendable () -> Int64,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.tracer = tracer
        self.context = context
        self.wallClock = wallClock
        self.now = now
    }

    public func observe(_ event: PipelineEvent) {
        // Events are told when they are over, so the wall clock's time of the end is what has passed since then ago.
        let end = Duration.nanoseconds(wallClock()) - (now() - event.end)
        let start = end - event.run
        let span: any Span = tracer.startSpan(
            "webimage.\(event.stage.rawValue)", context: context, ofKind: event.stage == .fetch ? .client : .internal,
            at: Moment(start), function: #function, file: #fileID, line: #line)
        span.attributes["url"] = event.redactedURL
        span.attributes["priority"] = "\(event.priority)"
        span.attributes["wait_ns"] = event.wait.clampedNanoseconds
        if let tier = event.tier { span.attributes["tier"] = tier.rawValue }
        if let bytes = event.byteCount { span.attributes["bytes"] = bytes }
        if let hops = event.hops { span.attributes["hops"] = hops }
        if let attempts = event.attempts { span.attributes["attempts"] = attempts }
        if let error = event.error {
            span.attributes["error"] = error.rawValue
            if error != .cancelled { span.setStatus(SpanStatus(code: .error, message: error.rawValue)) }
        }
        span.end(at: Moment(end))
    }

    private struct Moment: TracerInstant {
        let nanosecondsSinceEpoch: UInt64

        init(_ sinceEpoch: Duration) { nanosecondsSinceEpoch = UInt64(max(0, sinceEpoch.clampedNanoseconds)) }

        static func < (left: Moment, right: Moment) -> Bool {
            left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
        }
    }
}
#endif
