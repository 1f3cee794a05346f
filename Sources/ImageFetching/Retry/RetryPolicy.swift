import SystemThreads

/// Whether a failed fetch is tried again, and how long to wait before.
///
/// The wait grows with every attempt and is drawn by chance between nothing and the grown value ("full jitter"), so
/// that many clients that failed at one moment do not come back at one moment. A server that says when to come back
/// (`Retry-After`, RFC 9110 §10.2.3) is obeyed instead. Only errors that are ``FetchError/isRetryable`` are tried again.
///
/// Any value may be put in; a senseless one is taken as the nearest that makes sense.
public struct RetryPolicy: Sendable, Hashable {
    /// How often a fetch is tried in all, the first time included. Default 3; less than 1 is 1.
    public var maxAttempts: Int
    /// The longest wait after the first attempt. Default 250 ms; less than 0 is 0.
    public var baseDelay: Duration
    /// By how much each attempt's longest wait is greater than that of the one before. Default 2; less than 1, or no
    /// number, is 1.
    public var multiplier: Double
    /// What no wait grows beyond. Default 30 s. A `Retry-After` is not bound by it.
    public var maxDelay: Duration
    /// A fetch whose server asks for a longer pause than this is not tried again. Default 30 s.
    public var maxRetryAfter: Duration

    public init(
        maxAttempts: Int = 3, baseDelay: Duration = .milliseconds(250), multiplier: Double = 2,
        maxDelay: Duration = .seconds(30), maxRetryAfter: Duration = .seconds(30)
    ) {
        self.maxAttempts = maxAttempts
        self.baseDelay = baseDelay
        self.multiplier = multiplier
        self.maxDelay = maxDelay
        self.maxRetryAfter = maxRetryAfter
    }

    /// One attempt and no more.
    public static let none = RetryPolicy(maxAttempts: 1)

    /// How long to wait before the next attempt.
    ///
    /// - Parameters:
    ///   - attempt: how many attempts were made; the first is 1.
    ///   - error: how the last of them ended.
    ///   - now: nanoseconds since 1970, which a `Retry-After` that is a date is compared with.
    ///   - random: where the jitter comes from.
    /// - Returns: at least 1 ms; nil if there is to be no other attempt. For a `Retry-After` it is that time and up to
    ///   a tenth more; one that has passed already, or is 0, says nothing.
    public func delay(
        afterAttempt attempt: Int, error: FetchError, now: Int64, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard error.isRetryable, attempt < maxAttempts else { return nil }
        if let pause = error.retryAfter(now: now), pause > .zero {
            return pause <= maxRetryAfter ? max(.milliseconds(1), pause.lengthened(using: &random)) : nil
        }
        let least: Int64 = 1_000_000
        return .nanoseconds(Int64.random(in: least...max(least, longestDelay(afterAttempt: attempt)), using: &random))
    }

    /// In nanoseconds.
    private func longestDelay(afterAttempt attempt: Int) -> Int64 {
        let limit = maxDelay.clampedNanoseconds
        let base = baseDelay.clampedNanoseconds
        guard base > 0 else { return 0 }
        var grown = Double(base)
        // Where the factor is just above 1 this would take as many rounds as there were attempts.
        if multiplier > 1 {
            for _ in 1..<min(max(attempt, 1), 1_000) where grown < Double(limit) { grown *= multiplier }
        }
        return min(limit, Int64(exactly: grown.rounded(.down)) ?? .max)
    }
}

extension FetchError {
    /// How long the server asked to be left alone (`Retry-After`, RFC 9110 §10.2.3).
    ///
    /// - Parameter now: nanoseconds since 1970, which a date is compared with.
    /// - Returns: zero for a date that has passed; nil where the field is missing or neither a count of seconds nor a
    ///   date. Of several fields the longest counts.
    public func retryAfter(now: Int64) -> Duration? {
        head?.headers.values(for: "Retry-After").compactMap { value -> Duration? in
            if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                return .seconds(Int64(value) ?? .max)
            }
            guard let date = HTTPDate.nanoseconds(from: value, now: now) else { return nil }
            let (difference, overflow) = date.subtractingReportingOverflow(now)
            return .nanoseconds(overflow ? (date > now ? .max : 0) : max(0, difference))
        }.max()
    }
}
