#if Logging || Metrics || Tracing
import Foundation
import Testing

@testable import WebImage

/// Events as a pipeline tells them.
enum SampleEvent {
    static let request = ImageRequest(url: URL(filePath: "/pictures/a.png"), priority: .high)

    static let fetch = PipelineEvent(
        .fetch, of: request, wait: .milliseconds(5), run: .milliseconds(250), end: .now, tier: .network,
        byteCount: 1_234, hops: 2, attempts: 3)
    static let failure = PipelineEvent(.load, of: request, run: .milliseconds(9), end: .now, error: .timeout)
    static let cancelled = PipelineEvent(.load, of: request, run: .milliseconds(1), end: .now, error: .cancelled)
    static let strange = PipelineEvent(
        .decode, of: request, run: .zero, end: .now, error: ImageError.Code(rawValue: "nobody knows"))
    static let load = PipelineEvent(.load, of: request, run: .zero, end: .now, tier: .memory)
    /// Longer than 64 bits of nanoseconds, one way and the other.
    static let endless = PipelineEvent(
        .fetch, of: request, wait: .seconds(Int64.min), run: .seconds(Int64.max), end: .now)
}

#if Logging
import InMemoryLogging
import Logging

@Suite struct LogObservationTests {
    let handler = InMemoryLogHandler()

    private func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "test", factory: { [handler] _ in handler })
        logger.logLevel = level
        return logger
    }

    @Test("P43 W049: a line for each stage, with what is known of it, and failures one level up")
    func lines() throws {
        let observer = LogObserver(logger(.debug), slowness: .milliseconds(255))
        for event in [SampleEvent.fetch, SampleEvent.failure, SampleEvent.cancelled] { observer.observe(event) }
        let entries = handler.entries
        #expect(entries.map(\.level) == [.warning, .notice, .debug])
        #expect(entries.map { "\($0.message)" } == ["fetch done", "load failed: timeout", "load failed: cancelled"])
        let first = try #require(entries.first).metadata
        #expect(first["tier"] == "network" && first["bytes"] == "1234" && first["hops"] == "2")
        #expect(first["attempts"] == "3" && first["wait_ms"] == "5" && first["run_ms"] == "250")
        #expect(entries[1].metadata["error"] == "timeout" && entries[1].metadata["tier"] == nil)
    }

    @Test("What the logger does not take is not made")
    func level() {
        let observer = LogObserver(logger(.notice))
        observer.observe(SampleEvent.fetch)
        #expect(handler.entries.isEmpty)
    }
}
#endif

#if Metrics
import CoreMetrics
import MetricsTestKit
import Synchronization

@Suite struct MetricsObservationTests {
    @Test("P43 C176: times by stage and outcome, loads by tier, errors by code, bytes by stage")
    func figures() throws {
        let metrics = TestMetrics()
        let observer = MetricsObserver(factory: metrics)
        let events = [
            SampleEvent.fetch, SampleEvent.failure, SampleEvent.cancelled, SampleEvent.strange, SampleEvent.load,
        ]
        for event in events + events { observer.observe(event) }
        let run = try metrics.expectTimer("webimage.stage.run", [("stage", "fetch"), ("outcome", "done")])
        #expect(run.values == [250_000_000, 250_000_000])
        let wait = try metrics.expectTimer("webimage.stage.wait", [("stage", "fetch"), ("outcome", "done")])
        #expect(wait.values == [5_000_000, 5_000_000])
        #expect(metrics.counterTotal(label: "webimage.loads", dimensions: [("tier", "memory")]) == 2)
        #expect(metrics.counterTotal(label: "webimage.loads", dimensions: [("tier", "none")]) == 4)
        let strange = [("stage", "decode"), ("code", "other")]
        #expect(metrics.counterTotal(label: "webimage.errors", dimensions: strange) == 2)
        let late = [("stage", "load"), ("code", "timeout")]
        #expect(metrics.counterTotal(label: "webimage.errors", dimensions: late) == 2)
        let left = [("stage", "load"), ("code", "cancelled")]
        #expect(metrics.counterTotal(label: "webimage.errors", dimensions: left) == 0)
        #expect(try metrics.expectRecorder("webimage.bytes", [("stage", "fetch")]).values == [1_234, 1_234])
    }

    @Test("A time that does not fit is the longest one that does")
    func endless() throws {
        let metrics = TestMetrics()
        MetricsObserver(factory: metrics).observe(SampleEvent.endless)
        let dimensions = [("stage", "fetch"), ("outcome", "done")]
        #expect(try metrics.expectTimer("webimage.stage.run", dimensions).values == [.max])
        #expect(try metrics.expectTimer("webimage.stage.wait", dimensions).values == [.min])
    }

    @Test("Each figure is made once, however many events there are")
    func making() {
        let factory = CountingFactory()
        let observer = MetricsObserver(factory: factory)
        let events = [SampleEvent.fetch, SampleEvent.failure]
        for event in events { observer.observe(event) }
        let first = factory.made.withLock { $0 }
        for event in events + events { observer.observe(event) }
        // Two timers for each of two stages, a count of loads and one of errors, and the bytes.
        #expect(first == 7 && factory.made.withLock { $0 } == first)
    }
}

/// Counts what it is asked to make; `TestMetrics` hands the same handler out again and so hides it.
private final class CountingFactory: MetricsFactory {
    let made = Mutex(0)
    private let metrics = TestMetrics()

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        made.withLock { $0 += 1 }
        return metrics.makeCounter(label: label, dimensions: dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        made.withLock { $0 += 1 }
        return metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        made.withLock { $0 += 1 }
        return metrics.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) { metrics.destroyCounter(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { metrics.destroyRecorder(handler) }
    func destroyTimer(_ handler: any TimerHandler) { metrics.destroyTimer(handler) }
}
#endif

#if Tracing
import InMemoryTracing
import Tracing

@Suite struct TraceObservationTests {
    @Test("P43 W049: a span for each stage, as long as the stage, with its attributes and its error")
    func spans() throws {
        let tracer = InMemoryTracer()
        let end = SampleEvent.fetch.end
        let observer = TraceObserver(
            tracer: tracer, context: .topLevel, wallClock: { 1_000_000_000_000 }, now: { end + .milliseconds(40) })
        observer.observe(SampleEvent.fetch)
        observer.observe(SampleEvent.failure)
        observer.observe(SampleEvent.cancelled)
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["webimage.fetch", "webimage.load", "webimage.load"])
        let fetch = try #require(spans.first)
        #expect(fetch.endInstant.nanosecondsSinceEpoch == 1_000_000_000_000 - 40_000_000)
        #expect(fetch.endInstant.nanosecondsSinceEpoch - fetch.startInstant.nanosecondsSinceEpoch == 250_000_000)
        #expect(fetch.kind == .client && fetch.attributes["tier"]?.toSpanAttribute() == .string("network"))
        #expect(fetch.attributes["wait_ns"]?.toSpanAttribute() == .int64(5_000_000) && fetch.status == nil)
        #expect(spans[1].status?.code == .error && spans[2].status == nil)
    }

    @Test("A stage that is longer than time itself begins with it")
    func endless() throws {
        let tracer = InMemoryTracer()
        let observer = TraceObserver(
            tracer: tracer, context: .topLevel, wallClock: { 1_000 }, now: { SampleEvent.endless.end })
        observer.observe(SampleEvent.endless)
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.startInstant.nanosecondsSinceEpoch == 0 && span.endInstant.nanosecondsSinceEpoch == 1_000)
        #expect(span.attributes["wait_ns"]?.toSpanAttribute() == .int64(.min))
    }
}
#endif
#endif
