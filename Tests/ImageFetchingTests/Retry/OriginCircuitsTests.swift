import Testing
import WebImageTesting

@testable import ImageFetching

@Suite struct OriginCircuitsTests {
    private typealias Circuits = OriginCircuits<String>

    /// Circuits with a clock and a source of chance, asked in the fewest words.
    private final class Bench {
        var circuits: Circuits
        var random = SeededGenerator(seed: 21)
        var now = ContinuousClock.now

        init(capacity: Int = 256) {
            circuits = Circuits(capacity: capacity)
        }

        func pass(_ origin: String = "a") -> Circuits.Pass? {
            guard case .go(let pass) = circuits.admit(origin, now: now) else { return nil }
            return pass
        }

        /// How long the origin is refused for; nil if it is not.
        func refusal(_ origin: String = "a") -> Duration? {
            guard case .refused(let end) = circuits.admit(origin, now: now) else { return nil }
            return end - now
        }

        func end(_ pass: Circuits.Pass, _ outcome: Circuits.Outcome) {
            circuits.ended(pass, outcome, now: now, using: &random)
        }

        /// One request from start to end.
        func request(_ outcome: Circuits.Outcome, origin: String = "a") throws {
            end(try #require(pass(origin)), outcome)
        }
    }

    @Test(
        "F30: five bad answers in a row open the circuit of one origin alone",
        arguments: [429, 500, 502, 503, 504, 599])
    func opens(status: Int) throws {
        let bench = Bench()
        for _ in 0..<4 { try bench.request(.answered(status: status)) }
        #expect(bench.refusal() == nil)
        try bench.request(.answered(status: status))
        let pause = try #require(bench.refusal())
        #expect(pause >= .milliseconds(500) && pause <= .seconds(1))
        #expect(bench.refusal("b") == nil)
    }

    @Test(
        "F30: any other answer ends the row", arguments: [200, 206, 304, 401, 403, 404, 408, 410, 425, 600])
    func interrupted(status: Int) throws {
        let bench = Bench()
        for _ in 0..<10 {
            for _ in 0..<4 { try bench.request(.answered(status: 503)) }
            try bench.request(.answered(status: status))
        }
        #expect(bench.refusal() == nil && bench.circuits.count == 0)
    }

    @Test(
        "P11: offline to online recovers at once: what is no answer never counts",
        arguments: [OriginCircuits<String>.Outcome.noAnswer, .cancelled])
    func offline(outcome: OriginCircuits<String>.Outcome) throws {
        let bench = Bench()
        for _ in 0..<1_000 { try bench.request(outcome) }
        #expect(bench.refusal() == nil && bench.circuits.count == 0)
        // Nor does it end a row.
        for _ in 0..<4 { try bench.request(.answered(status: 500)) }
        try bench.request(outcome)
        try bench.request(.answered(status: 500))
        #expect(bench.refusal() != nil)
    }

    @Test("F30: one probe goes; its failure doubles the pause up to 30 s, its success lets all go")
    func probes() throws {
        let bench = Bench()
        for _ in 0..<5 { try bench.request(.answered(status: 500)) }
        for full in [1, 2, 4, 8, 16, 30, 30, 30] {
            let pause = try #require(bench.refusal())
            #expect(pause >= .seconds(full) / 2 && pause <= .seconds(full))
            bench.now += pause - .nanoseconds(1)
            #expect(bench.refusal() == .nanoseconds(1))
            bench.now += .nanoseconds(1)
            let probe = try #require(bench.pass())
            #expect(probe.isProbe && bench.pass() == nil && bench.pass() == nil)
            bench.end(probe, .answered(status: 503))
        }
        bench.now += .seconds(30)
        try bench.request(.answered(status: 200))
        #expect(bench.circuits.count == 0)
        let passes = try (0..<10).map { _ in try #require(bench.pass()) }
        #expect(passes.allSatisfy { !$0.isProbe })
        // And the next pause is a short one again.
        for pass in passes.prefix(5) { bench.end(pass, .answered(status: 500)) }
        let pause = try #require(bench.refusal())
        #expect(pause <= .seconds(1))
    }

    @Test("A probe without an answer gives its place to the next at once")
    func probeGivenBack() throws {
        let bench = Bench()
        for _ in 0..<5 { try bench.request(.answered(status: 500)) }
        bench.now += .seconds(1)
        for outcome in [OriginCircuits<String>.Outcome.cancelled, .noAnswer, .cancelled] {
            let probe = try #require(bench.pass())
            #expect(probe.isProbe && bench.refusal() == .seconds(1))
            bench.end(probe, outcome)
        }
        try bench.request(.answered(status: 404))
        #expect(bench.circuits.count == 0)
    }

    @Test(
        "F30: Retry-After is the pause, at most 30 s and up to a tenth more",
        arguments: [(Duration.seconds(7), 7), (.seconds(3_600), 30), (.seconds(Int64.max), 30)])
    func retryAfter(told: Duration, seconds: Int) throws {
        let bench = Bench()
        for _ in 0..<5 { try bench.request(.answered(status: 503, retryAfter: told)) }
        let pause = try #require(bench.refusal())
        #expect(pause >= .seconds(seconds) && pause <= .seconds(seconds) * 11 / 10)
    }

    @Test("F30: of a thousand requests under way the late ones do not speak for the probe")
    func stragglers() throws {
        let bench = Bench()
        let early = try (0..<1_000).map { _ in try #require(bench.pass()) }
        for pass in early.prefix(5) { bench.end(pass, .answered(status: 503)) }
        let pause = try #require(bench.refusal())
        for pass in early[5..<300] { bench.end(pass, .answered(status: 503)) }
        for pass in early[300..<400] { bench.end(pass, .answered(status: 200)) }
        #expect(bench.refusal() == pause, "a storm is one failure, not sixty")
        bench.now += pause
        let probe = try #require(bench.pass())
        for pass in early[400..<600] { bench.end(pass, .cancelled) }
        for pass in early[600..<800] { bench.end(pass, .answered(status: 500)) }
        for pass in early[800...] { bench.end(pass, .answered(status: 200)) }
        #expect(bench.refusal() == .seconds(1), "the probe is still under way")
        bench.end(probe, .answered(status: 200))
        // A probe's second end is none.
        for _ in 0..<9 { bench.end(probe, .answered(status: 500)) }
        #expect(bench.refusal() == nil && bench.circuits.count == 0)
    }

    @Test("No more origins than so many are known; the one without news for longest is forgotten")
    func bounded() throws {
        let bench = Bench(capacity: 3)
        for origin in ["a", "b", "c"] {
            for _ in 0..<5 { try bench.request(.answered(status: 500), origin: origin) }
        }
        for number in 0..<1_000 { try bench.request(.answered(status: 500), origin: "\(number)") }
        #expect(bench.circuits.count == 3 && bench.refusal("c") == nil)
    }

    /// What is known of one origin, without the moment that chance picked: only between which two it lies.
    private struct Model {
        var row = 0
        var openings = 0
        var pause: ClosedRange<ContinuousClock.Instant>?
        var probe: Int?
    }

    @Test("F30: 200,000 steps by chance keep to what a plain model allows", arguments: [31, 32] as [UInt64])
    func walk(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = Bench()
        let origins = ["a", "b", "c", "d"]
        var models = Dictionary(uniqueKeysWithValues: origins.map { ($0, Model()) })
        var flying: [(number: Int, pass: Circuits.Pass)] = []
        var seen: [String: Int] = [:]
        for step in 0..<200_000 {
            // Long stretches in which nearly all answers are bad, or good.
            let isBadTime = step / 500 % 3 != 0
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let origin = origins[Int.random(in: 0..<4, using: &random)]
                guard var model = models[origin] else { return }
                switch bench.circuits.admit(origin, now: bench.now) {
                case .go(let pass):
                    let mayGo = model.pause.map { model.probe == nil && $0.lowerBound <= bench.now } ?? true
                    try #require(mayGo && pass.isProbe == (model.pause != nil), "step \(step): let go")
                    if pass.isProbe { model.probe = step }
                    flying.append((step, pass))
                    seen[pass.isProbe ? "probe" : "go", default: 0] += 1
                case .refused(let end):
                    let pause = try #require(model.pause, "step \(step): refused")
                    if model.probe != nil {
                        try #require(end == bench.now + .seconds(1))
                    } else {
                        try #require(bench.now < end && pause.contains(end), "step \(step): refused till \(end)")
                        // Now it is known.
                        model.pause = end...end
                    }
                    seen["refused", default: 0] += 1
                }
                models[origin] = model
            case 4..<8:
                guard !flying.isEmpty else { continue }
                let (number, pass) = flying.remove(at: Int.random(in: 0..<flying.count, using: &random))
                guard var model = models[pass.origin] else { return }
                let kind = Int.random(in: 0..<10, using: &random)
                let after: Int? = kind == 5 ? Int.random(in: 0...60, using: &random) : nil
                let outcome: Circuits.Outcome =
                    switch kind {
                    case 0: .noAnswer
                    case 1: .cancelled
                    case 2: .answered(status: isBadTime ? 502 : 404)
                    default:
                        .answered(
                            status: isBadTime ? (kind == 3 ? 429 : 503) : 200,
                            retryAfter: after.map { .seconds($0) })
                    }
                bench.end(pass, outcome)
                let counts = model.pause == nil ? !pass.isProbe : model.probe == number
                if counts {
                    model.probe = nil
                    if kind > 1 {
                        if isBadTime {
                            model.row += 1
                            if model.row >= 5 {
                                let wait = min(30, 1 << min(10, model.openings))
                                model.openings += 1
                                let told = min(30, after ?? 0)
                                model.pause =
                                    told > 0
                                    ? bench.now + .seconds(told)...bench.now + .seconds(told) * 11 / 10
                                    : bench.now + .milliseconds(500 * wait)...bench.now + .seconds(wait)
                                seen["opened", default: 0] += 1
                            }
                        } else {
                            if pass.isProbe { seen["closed", default: 0] += 1 }
                            model = Model()
                        }
                    }
                } else {
                    seen["late", default: 0] += 1
                }
                models[pass.origin] = model
            default: bench.now += .milliseconds(Int.random(in: 0...1_500, using: &random))
            }
        }
        // The walk was everywhere.
        for place in ["go", "probe", "refused", "opened", "closed", "late"] {
            #expect(seen[place, default: 0] > 100, "\(place)")
        }
    }
}
