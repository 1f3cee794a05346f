import SystemThreads

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
    var now: Int64 { (read() - start).clampedNanoseconds }

    /// When a lifetime that begins now is over; `.max` for never.
    @usableFromInline
    func deadline(after lifetime: Duration) -> Int64 {
        let (deadline, overflow) = now.addingReportingOverflow(lifetime.clampedNanoseconds)
        return overflow ? (lifetime < .zero ? .min : .max) : deadline
    }
}
