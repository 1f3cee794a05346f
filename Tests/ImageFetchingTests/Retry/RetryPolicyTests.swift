import Foundation
import Testing
import WebImageTesting

@testable import ImageFetching

@Suite struct RetryPolicyTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let now: Int64 = 784_111_777_000_000_000

    private static func error(_ status: Int, retryAfter: String...) -> FetchError {
        var headers = HTTPHeaders()
        for value in retryAfter { headers.append("Retry-After", value) }
        let head = ResponseHead(status: status, headers: headers, finalURL: URL(filePath: "/"))
        return FetchError(.httpStatus, "", isRetryable: ResponseRule.isRetryable(status), head: head)
    }

    @Test(
        "P37: only what may go better later is tried again; of 4xx 408, 425 and 429 alone",
        arguments: [
            (FetchError(.dns, ""), true), (FetchError(.connectionFailed, ""), true),
            (FetchError(.connectionLost, ""), true), (FetchError(.timeout, ""), true),
            (FetchError(.truncatedBody, ""), true), (FetchError(.tls, ""), false),
            (FetchError(.forbiddenAddress, ""), false), (FetchError(.cancelled, ""), false),
            (FetchError(.bodyTooLarge, ""), false), (FetchError(.dns, "", isRetryable: false), false),
        ] + (400...599).map { (error($0), [408, 425, 429].contains($0) || $0 >= 500) }
    )
    func retryable(error: FetchError, isRetried: Bool) {
        var random = SeededGenerator(seed: 1)
        let policy = RetryPolicy()
        #expect((policy.delay(afterAttempt: 1, error: error, now: Self.now, using: &random) != nil) == isRetried)
        #expect(policy.delay(afterAttempt: 3, error: error, now: Self.now, using: &random) == nil)
        #expect(RetryPolicy.none.delay(afterAttempt: 1, error: error, now: Self.now, using: &random) == nil)
    }

    @Test("P37: full jitter, from 1 ms to a step that doubles up to its limit")
    func jitter() throws {
        var random = SeededGenerator(seed: 2)
        let policy = RetryPolicy(maxAttempts: 100)
        for (attempt, step) in [(1, 250), (2, 500), (3, 1_000), (7, 16_000), (8, 30_000), (99, 30_000)] {
            let delays = try (0..<2_000).map { _ in
                try #require(
                    policy.delay(afterAttempt: attempt, error: Self.error(503), now: Self.now, using: &random))
            }
            let (least, most) = (try #require(delays.min()), try #require(delays.max()))
            #expect(least >= .milliseconds(1) && most <= .milliseconds(step))
            // The whole room is used: 2,000 draws miss a twentieth at one end once in 10^44.
            #expect(least < .milliseconds(1) + .milliseconds(step) / 20 && most > .milliseconds(step) * 19 / 20)
        }
    }

    @Test(
        "P37, RFC 9110 §10.2.3: Retry-After is waited for, and up to a tenth more",
        arguments: [
            (["7"], 7), (["30"], 30), (["Sun, 06 Nov 1994 08:49:57 GMT"], 20), (["nonsense", "3"], 3), (["3", "9"], 9),
        ])
    func obeys(values: [String], seconds: Int) throws {
        var random = SeededGenerator(seed: 3)
        var headers = HTTPHeaders()
        for value in values { headers.append("Retry-After", value) }
        let head = ResponseHead(status: 429, headers: headers, finalURL: URL(filePath: "/"))
        let error = FetchError(.httpStatus, "", isRetryable: true, head: head)
        #expect(error.retryAfter(now: Self.now) == .seconds(seconds))
        var drawn: Set<Duration> = []
        for _ in 0..<200 {
            let delay = try #require(
                RetryPolicy().delay(afterAttempt: 1, error: error, now: Self.now, using: &random))
            #expect(delay >= .seconds(seconds) && delay <= .seconds(seconds) * 11 / 10)
            drawn.insert(delay)
        }
        #expect(drawn.count > 100)
    }

    @Test(
        "A longer Retry-After than allowed ends the attempts",
        arguments: ["31", "99999999999999999999999", "Sun, 06 Nov 1994 08:50:08 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func tooLong(value: String) {
        var random = SeededGenerator(seed: 4)
        let error = Self.error(503, retryAfter: value)
        #expect(RetryPolicy().delay(afterAttempt: 1, error: error, now: Self.now, using: &random) == nil)
    }

    @Test(
        "A Retry-After that says nothing leaves the wait to the policy",
        arguments: [
            ("0", Duration.zero), ("Sun, 06 Nov 1994 08:49:36 GMT", .zero), ("-5", nil), ("1.5", nil), ("", nil),
            ("soon", nil),
        ])
    func silent(value: String, parsed: Duration?) throws {
        var random = SeededGenerator(seed: 5)
        let error = Self.error(503, retryAfter: value)
        #expect(error.retryAfter(now: Self.now) == parsed)
        let delay = try #require(RetryPolicy().delay(afterAttempt: 1, error: error, now: Self.now, using: &random))
        #expect(delay >= .milliseconds(1) && delay <= .milliseconds(250))
    }

    @Test("Senseless values neither trap nor wait for less than 1 ms or more than 292 years")
    func senseless() {
        var random = SeededGenerator(seed: 6)
        let long = Duration.seconds(Int64.max)
        let durations: [Duration] = [.zero, .seconds(-1), .nanoseconds(1), .seconds(1), long, .zero - long]
        let errors = [Self.error(503), Self.error(503, retryAfter: "\(Int64.max)"), FetchError(.dns, "")]
        for attempts in [Int.min, 0, 1, 2, .max] {
            for multiplier in [Double.nan, .infinity, -.infinity, -1, 0, 1, 1 + .ulpOfOne, 2, 1e300] {
                for (base, limit) in durations.flatMap({ base in durations.map { (base, $0) } }) {
                    let policy = RetryPolicy(
                        maxAttempts: attempts, baseDelay: base, multiplier: multiplier, maxDelay: limit,
                        maxRetryAfter: limit)
                    for (attempt, error) in [Int.min, 0, 1, 1_000_000, .max].flatMap({ number in
                        errors.map { (number, $0) }
                    }) {
                        for now in [Int64.min, 0, .max] {
                            let delay = policy.delay(afterAttempt: attempt, error: error, now: now, using: &random)
                            guard let delay else { continue }
                            #expect(attempt < attempts)
                            #expect(delay >= .milliseconds(1) && delay <= .nanoseconds(Int64.max))
                        }
                    }
                }
            }
        }
    }
}
