/// Lets the first and the last report of a fetch through, and of the rest one for each interval. A value; the caller
/// brings the time.
struct ProgressThrottle: Sendable {
    let interval: Duration
    private var next: ContinuousClock.Instant?
    private var last: FetchProgress?

    init(interval: Duration) {
        self.interval = interval
    }

    /// - Returns: the report, if it is time for one and it says something new.
    mutating func report(_ progress: FetchProgress, at now: ContinuousClock.Instant) -> FetchProgress? {
        if let next, now < next { return nil }
        next = now + interval
        return pass(progress)
    }

    /// The report at the end of the body, whatever the time.
    mutating func finish(_ progress: FetchProgress) -> FetchProgress? {
        pass(progress)
    }

    private mutating func pass(_ progress: FetchProgress) -> FetchProgress? {
        guard progress != last, progress.received >= last?.received ?? 0 else { return nil }
        last = progress
        return progress
    }
}
