import ImageCoding
import Synchronization
import Testing

@Suite("The time that a decode may take")
struct DecodeDeadlineTests {
    /// Stands still until it is told.
    private final class ManualClock: Sendable {
        private let instant = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { instant.withLock { $0 } }

        func advance(by duration: Duration) { instant.withLock { $0 += duration } }
    }

    @Test("F12: time runs out when all of it has passed, not before")
    func runsOut() throws {
        let clock = ManualClock()
        let deadline = DecodeDeadline(after: .seconds(5), now: { clock.now })
        try deadline.check()
        clock.advance(by: .milliseconds(4_999))
        try deadline.check()
        clock.advance(by: .milliseconds(1))
        let error = #expect(throws: CodingError.self) { try deadline.check() }
        #expect(error?.code == .tookTooLong)
    }

    @Test("F12: a decoder notices between two strips, and a later coder gets no more time")
    func decoder() throws {
        let clock = ManualClock()
        let options = DecodeOptions(
            limits: DecodeLimits(maxDuration: .seconds(1)),
            shouldContinue: {
                clock.advance(by: .milliseconds(600))
                return true
            }
        ).started { clock.now }
        let bytes = try Fixture.bytes("gif/plain.gif")
        let error = #expect(throws: CodingError.self) {
            try bytes.withUnsafeBytes { try GIFDecoder().decode($0, options: options, into: StripSink(stripRows: 1)) }
        }
        #expect(error?.code == .tookTooLong)
        let again = #expect(throws: CodingError.self) { try options.started { clock.now }.checkCancellation() }
        #expect(again?.code == .tookTooLong)
    }
}
