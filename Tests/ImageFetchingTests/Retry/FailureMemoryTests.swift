import Foundation
import Testing
import WebImageTesting

@testable import ImageFetching

@Suite struct FailureMemoryTests {
    /// A memory that may be asked within an expectation.
    private final class Memory<Key: Hashable & Sendable, Failure: Sendable> {
        var value: FailureMemory<Key, Failure>

        init(capacity: Int = 1_024) {
            value = FailureMemory(capacity: capacity)
        }

        func failure(for key: Key, now: ContinuousClock.Instant) -> Failure? { value.failure(for: key, now: now) }
    }

    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let wallClock: Int64 = 784_111_777_000_000_000

    private static func error(_ status: Int, _ headers: HTTPHeaders = [:]) -> FetchError {
        let head = ResponseHead(status: status, headers: headers, finalURL: URL(filePath: "/"))
        return FetchError(.httpStatus, "\(status)", isRetryable: ResponseRule.isRetryable(status), head: head)
    }

    @Test(
        "P11: 404 and 410 are remembered as Cache-Control says, at most and by default 60 s", arguments: [404, 410],
        [
            ([:], 60), (["Cache-Control": "max-age=5"], 5), (["Cache-Control": "max-age=86400"], 60),
            (["Cache-Control": "max-age=99999999999999999999"], 60), (["Cache-Control": "max-age=0"], 0),
            (["Cache-Control": "no-store"], 0), (["Cache-Control": "no-cache, max-age=50"], 0),
            (["Cache-Control": "public"], 60), (["Pragma": "no-cache"], 0), (["Retry-After": "7"], 60),
        ] as [(HTTPHeaders, Int)])
    func gone(status: Int, told: (headers: HTTPHeaders, seconds: Int)) {
        #expect(
            FailureLifetime.of(Self.error(status, told.headers), wallClock: Self.wallClock) == .seconds(told.seconds))
    }

    @Test("P11: other 4xx are remembered for 30 s, but 408, 425 and a silent 429 are not; 5xx and the rest never")
    func statuses() {
        for status in 100...699 where status != 404 && status != 410 {
            let isRemembered = (400...499).contains(status) && ![408, 425, 429].contains(status)
            #expect(
                FailureLifetime.of(Self.error(status), wallClock: Self.wallClock)
                    == (isRemembered ? .seconds(30) : .zero))
        }
    }

    @Test(
        "P11: 429 and 503 are remembered for their Retry-After, at most 30 s", arguments: [429, 503],
        [("4", 4), ("31", 30), ("0", 0), ("x", 0), ("Sun, 06 Nov 1994 08:49:47 GMT", 10)])
    func busy(status: Int, told: (value: String, seconds: Int)) {
        let error = Self.error(status, ["Retry-After": told.value])
        #expect(FailureLifetime.of(error, wallClock: Self.wallClock) == .seconds(told.seconds))
        #expect(FailureLifetime.of(Self.error(500, ["Retry-After": "4"]), wallClock: Self.wallClock) == .zero)
    }

    @Test(
        "P11 S038 C010: what the way did is never remembered",
        arguments: [
            FetchError.Code.dns, .connectionFailed, .connectionLost, .timeout, .truncatedBody, .cancelled, .outOfMemory,
            .forbiddenAddress, .tls, FetchError.Code(rawValue: "unknown"),
        ])
    func wayside(code: FetchError.Code) {
        let now = ContinuousClock.now
        // Even with a head that would have been remembered.
        let head = ResponseHead(status: 404, finalURL: URL(filePath: "/"))
        for error in [FetchError(code, ""), FetchError(code, "", head: head)] {
            let memory = Memory<String, FetchError>()
            memory.value.note(error, for: "a", now: now, wallClock: Self.wallClock)
            #expect(memory.failure(for: "a", now: now) == nil && memory.value.count == 0)
            memory.value.note(Self.error(404), for: "a", now: now, wallClock: Self.wallClock)
            memory.value.note(error, for: "a", now: now, wallClock: Self.wallClock)
            #expect(memory.failure(for: "a", now: now) == nil, "the newest failure counts")
        }
    }

    @Test("P11 W028 C009: a failure expires by itself, can be forgotten, and no more than so many are known")
    func bounds() {
        let now = ContinuousClock.now
        let memory = Memory<Int, FetchError>(capacity: 3)
        for key in 0..<5 { memory.value.note(Self.error(404), for: key, now: now, wallClock: Self.wallClock) }
        #expect((0..<5).map { memory.failure(for: $0, now: now) != nil } == [false, false, true, true, true])
        #expect(memory.failure(for: 4, now: now)?.statusCode == 404)
        memory.value.forget(3)
        #expect(memory.failure(for: 3, now: now) == nil && memory.value.count == 2)
        #expect(memory.failure(for: 4, now: now + .nanoseconds(59_999_999_999)) != nil)
        #expect(memory.failure(for: 4, now: now + .seconds(60)) == nil && memory.value.count == 1)
        memory.value.forgetAll()
        #expect(memory.failure(for: 2, now: now) == nil && memory.value.count == 0)
        var none = FailureMemory<Int, FetchError>(capacity: -1)
        none.note(Self.error(404), for: 1, now: now, wallClock: Self.wallClock)
        #expect(none.count == 0)
    }

    @Test("Bytes that are no picture are remembered for 10 s, with an error of any kind")
    func undecodable() {
        let now = ContinuousClock.now
        let memory = Memory<Int, String>()
        memory.value.note("no picture", for: 1, lifetime: FailureLifetime.undecodable, now: now)
        #expect(memory.failure(for: 1, now: now + .milliseconds(9_999)) == "no picture")
        #expect(memory.failure(for: 1, now: now + .seconds(10)) == nil)
        memory.value.note("long", for: 2, lifetime: .seconds(Int64.max), now: now)
        #expect(memory.failure(for: 2, now: now + .seconds(3_601)) == nil)
    }

    /// A list in the order of noting, searched from end to end.
    private struct Model {
        var list: [(key: Int, failure: Int, end: ContinuousClock.Instant)] = []

        mutating func note(_ failure: Int, for key: Int, lifetime: Duration, now: ContinuousClock.Instant) {
            list.removeAll { $0.key == key }
            guard lifetime > .zero else { return }
            list.append((key, failure, now + lifetime))
            if list.count > 8 { list.removeFirst() }
        }

        mutating func failure(for key: Int, now: ContinuousClock.Instant) -> Int? {
            list.removeAll { $0.key == key && now >= $0.end }
            return list.first { $0.key == key }?.failure
        }
    }

    @Test("W028: 200,000 steps by chance give what a plain list gives", arguments: [11, 12] as [UInt64])
    func walk(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var memory = FailureMemory<Int, Int>(capacity: 8)
        var model = Model()
        var now = ContinuousClock.now
        for step in 0..<200_000 {
            let key = Int.random(in: 0..<14, using: &random)
            switch Int.random(in: 0..<1_000, using: &random) {
            case 0:
                memory.forgetAll()
                model.list.removeAll()
            case 1..<100:
                memory.forget(key)
                model.list.removeAll { $0.key == key }
            case 100..<500:
                let lifetime = Duration.seconds(Int.random(in: -1...30, using: &random))
                memory.note(step, for: key, lifetime: lifetime, now: now)
                model.note(step, for: key, lifetime: lifetime, now: now)
            case 500..<700: now += .seconds(Int.random(in: 0...4, using: &random))
            default:
                let (left, right) = (memory.failure(for: key, now: now), model.failure(for: key, now: now))
                guard left == right else {
                    Issue.record("step \(step): \(String(describing: left)) is not \(String(describing: right))")
                    return
                }
            }
            guard memory.count == model.list.count else {
                Issue.record("step \(step): \(memory.count) held, not \(model.list.count)")
                return
            }
        }
    }
}
