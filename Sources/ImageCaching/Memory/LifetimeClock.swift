/// The clock behind lifetimes: nanoseconds since a cache was made, in one word.
@usableFromInline
struct LifetimeClock: Sendable {
    private let read: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant

    init(_ read: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.read = read
        start = read()
    }

    @usableFromInline
    var now: Int64 { Self.nanoseconds(read() - start) }

    /// When a lifetime that begins now is over; `.max` for never.
    @usableFromInline
    func deadline(after lifetime: Duration) -> Int64 {
        let (deadline, overflow) = now.addingReportingOverflow(Self.nanoseconds(lifetime))
        return overflow ? (lifetime < .zero ? .min : .max) : deadline
    }

    /// At most what an `Int64` holds, which is 292 years.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return tooLarge || overflow ? (seconds < 0 ? .min : .max) : sum
    }
}
