import ImageFetching

/// How long bytes and the pictures made of them may be used, so that memory obeys HTTP without looking at headers. Times
/// are nanoseconds since 1970.
struct Validity: Hashable, Sendable {
    /// Names the bytes: the same as long as the origin says that nothing has changed, whatever the headers say.
    let entity: UInt64
    let receivedAt: Int64
    /// The first moment at which it is stale.
    let freshUntil: Int64
    /// Until when it may be used while the origin is asked.
    let usableUntil: Int64

    /// Something that does not grow old, as it is on this machine.
    static let local = Validity(entity: 0, receivedAt: 0, freshUntil: .max, usableUntil: .max)

    init(entity: UInt64, receivedAt: Int64, freshUntil: Int64, usableUntil: Int64) {
        self.entity = entity
        self.receivedAt = receivedAt
        self.freshUntil = freshUntil
        self.usableUntil = usableUntil
    }

    init(_ stored: StoredResponse, entity: UInt64) {
        self.init(
            entity: entity, receivedAt: stored.responseTime, freshUntil: stored.freshUntil,
            usableUntil: stored.usableWhileRevalidatingUntil)
    }

    /// What a request may do with it now.
    ///
    /// - Returns: `nil` when the disk or the origin has to be asked.
    func use(_ rule: FreshnessRule, _ wallClock: () -> Int64) -> Use? {
        if freshUntil == .max, rule != .networkOnly, rule != .revalidate { return Use(freshness: .fresh) }
        switch rule {
        case .networkOnly, .revalidate:
            return nil
        case .cacheOnly:
            return Use(freshness: wallClock() < freshUntil ? .fresh : .stale)
        case .lifetime(let lifetime):
            let (age, overflow) = wallClock().subtractingReportingOverflow(receivedAt)
            // Before the time of the response the clock was set back, and its age is not known.
            guard !overflow, age >= -Self.clockSlack else { return nil }
            return Duration.nanoseconds(age) < lifetime ? Use(freshness: .fresh) : nil
        case .standard:
            let now = wallClock()
            // Before the time of the response the clock was set back, and its age is not known.
            guard now >= receivedAt - Self.clockSlack else { return nil }
            if now < freshUntil { return Use(freshness: .fresh) }
            return now < usableUntil ? Use(freshness: .stale, mustRevalidate: true) : nil
        }
    }

    struct Use: Hashable, Sendable {
        let freshness: ResponseFreshness
        var mustRevalidate = false
    }

    /// How far clocks may be apart before one counts as set back.
    private static let clockSlack: Int64 = 60 * 1_000_000_000
}
