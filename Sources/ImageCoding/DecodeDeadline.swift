/// When a decode has to be over.
package struct DecodeDeadline: Sendable {
    private let limit: Duration
    private let end: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter now: the clock.
    package init(after limit: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.limit = limit
        self.now = now
        end = now() + limit
    }

    /// - Throws: ``CodingError`` with `tookTooLong`.
    package func check() throws(CodingError) {
        guard now() < end else {
            throw CodingError(.tookTooLong, "The decode took longer than the \(limit) that are allowed.")
        }
    }
}
