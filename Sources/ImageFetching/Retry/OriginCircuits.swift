import SystemThreads

/// Leaves servers alone that answer with nothing but errors: a circuit breaker for each origin.
///
/// After ``threshold`` answers of 5xx or 429 in a row requests to the origin are refused for a while. Then one request
/// goes as a probe; a good answer to it lets all others go, a bad one makes the next pause twice as long. What is no
/// answer, a lost connection or a timeout, says more about the way than about the server and changes nothing: whoever
/// was offline is served at once when the way is back.
///
/// A value: it needs a lock around it.
struct OriginCircuits<Origin: Hashable & Sendable>: Sendable {
    /// Lets one request go. It must come back with ``ended(_:_:now:using:)``, once.
    struct Pass: Sendable {
        let origin: Origin
        /// Of a probe alone.
        fileprivate let serial: UInt64?

        /// Whether others wait for how this one ends.
        var isProbe: Bool { serial != nil }
    }

    enum Admission: Sendable {
        case go(Pass)
        /// Not before this moment. While a probe is under way that is a guess, one shortest pause from now.
        case refused(until: ContinuousClock.Instant)
    }

    enum Outcome: Sendable, Hashable {
        /// A response came, of any status.
        case answered(status: Int, retryAfter: Duration? = nil)
        /// None came: no address, no connection, a broken one, a timeout.
        case noAnswer
        /// Nobody wanted it any more.
        case cancelled
    }

    private enum Phase {
        case closed(failures: Int)
        case open(until: ContinuousClock.Instant)
        /// The probe under way, nil if none is.
        case halfOpen(probe: UInt64?)
    }

    private struct Circuit {
        var phase: Phase
        /// How often it opened since the last good answer.
        var openings: Int
    }

    /// Bad answers in a row that open a circuit.
    static var threshold: Int { 5 }
    private static var shortestPause: Duration { .seconds(1) }
    private static var longestPause: Duration { .seconds(30) }

    /// Only origins whose last answer was bad are in it.
    private var circuits: AgeingTable<Origin, Circuit>
    private var serial: UInt64 = 0

    /// - Parameter capacity: how many origins are known at most; the one that had no news for longest is forgotten.
    init(capacity: Int = 256) {
        circuits = AgeingTable(capacity: capacity)
    }

    /// How many origins are in trouble.
    var count: Int { circuits.count }

    mutating func admit(_ origin: Origin, now: ContinuousClock.Instant) -> Admission {
        guard var circuit = circuits[origin] else { return .go(Pass(origin: origin, serial: nil)) }
        switch circuit.phase {
        case .closed: return .go(Pass(origin: origin, serial: nil))
        case .open(let end) where now < end: return .refused(until: end)
        case .halfOpen(.some): return .refused(until: now + Self.shortestPause)
        case .open, .halfOpen(.none):
            serial &+= 1
            circuit.phase = .halfOpen(probe: serial)
            circuits[origin] = circuit
            return .go(Pass(origin: origin, serial: serial))
        }
    }

    /// - Parameter random: where the jitter comes from.
    mutating func ended(
        _ pass: Pass, _ outcome: Outcome, now: ContinuousClock.Instant, using random: inout some RandomNumberGenerator
    ) {
        var circuit = circuits[pass.origin] ?? Circuit(phase: .closed(failures: 0), openings: 0)
        let failures: Int
        switch circuit.phase {
        case .closed(let count) where !pass.isProbe: failures = count
        case .halfOpen(let probe?) where pass.serial == probe: failures = Self.threshold
        // Sent before the circuit opened, and too late to say anything.
        default: return
        }
        guard case .answered(let status, let retryAfter) = outcome else {
            if pass.isProbe {
                circuit.phase = .halfOpen(probe: nil)
                circuits[pass.origin] = circuit
            }
            return
        }
        guard status == 429 || (500...599).contains(status) else {
            circuits[pass.origin] = nil
            return
        }
        if failures + 1 < Self.threshold {
            circuit.phase = .closed(failures: failures + 1)
        } else {
            circuit.openings = min(circuit.openings + 1, 32)
            let pause = Self.pause(opening: circuit.openings, retryAfter: retryAfter, using: &random)
            circuit.phase = .open(until: now + pause)
        }
        circuits[pass.origin] = circuit
    }

    /// What the server asked for and up to a tenth more; else 1 s, 2 s, 4 s and so on, or down to half of that by chance.
    /// Never more than the longest pause, but for that tenth.
    private static func pause(
        opening: Int, retryAfter: Duration?, using random: inout some RandomNumberGenerator
    ) -> Duration {
        if let retryAfter, retryAfter > .zero { return min(longestPause, retryAfter).lengthened(using: &random) }
        let full = min(longestPause, shortestPause * (1 << (opening - 1))).clampedNanoseconds
        return .nanoseconds(Int64.random(in: full / 2...full, using: &random))
    }
}
