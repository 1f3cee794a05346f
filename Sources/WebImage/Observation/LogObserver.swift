#if Logging
public import Logging

/// Writes every stage of every load into a log of swift-log.
///
/// ```swift
/// configuration.observers = [LogObserver(Logger(label: "pictures"))]
/// ```
///
/// Behind the package trait `Logging`, which is off by default.
public struct LogObserver: PipelineObserver {
    /// Where it writes.
    public var logger: Logger
    /// The level of what goes well, and of cancellations. Default `debug`.
    public var level: Logger.Level
    /// The level of what fails. Default `notice`.
    public var failureLevel: Logger.Level
    /// From which time on, waiting included, what goes well is written at the level `warning`. Default `nil`: never.
    public var slowness: Duration?

    public init(
        _ logger: Logger, level: Logger.Level = .debug, failureLevel: Logger.Level = .notice, slowness: Duration? = nil
    ) {
        self.logger = logger
        self.level = level
        self.failureLevel = failureLevel
        self.slowness = slowness
    }

    public func observe(_ event: PipelineEvent) {
        let level = level(of: event)
        guard logger.logLevel <= level else { return }
        let how = event.error.map { "failed: \($0.rawValue)" } ?? "done"
        logger.log(level: level, "\(event.stage.rawValue) \(how)", metadata: metadata(event))
    }

    private func level(of event: PipelineEvent) -> Logger.Level {
        if let error = event.error { return error == .cancelled ? level : failureLevel }
        if let slowness, event.wait + event.run >= slowness { return .warning }
        return level
    }

    private func metadata(_ event: PipelineEvent) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "stage": "\(event.stage.rawValue)", "url": "\(event.redactedURL)", "priority": "\(event.priority)",
            "wait_ms": "\(event.wait.milliseconds)", "run_ms": "\(event.run.milliseconds)",
        ]
        metadata["tier"] = event.tier.map { "\($0.rawValue)" }
        metadata["bytes"] = event.byteCount.map { "\($0)" }
        metadata["hops"] = event.hops.map { "\($0)" }
        metadata["attempts"] = event.attempts.map { "\($0)" }
        metadata["error"] = event.error.map { "\($0.rawValue)" }
        return metadata
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
#endif
