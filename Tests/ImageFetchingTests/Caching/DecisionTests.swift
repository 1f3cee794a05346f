import Testing

@testable import ImageFetching

/// RFC 9111 §4, §4.2.4 and §5.2.1; RFC 5861 §3; RFC 8246 §2. Times are seconds after the response came.
@Suite struct DecisionTests {
    let scene: CachingScene

    init() throws { scene = try CachingScene() }

    /// What a response says, what the request says, when it is, and what is to be done.
    typealias Row = (response: String, request: String, after: Int64, action: CachingDecision.Action, CachingReason)

    private func expect(_ row: Row, rule: FreshnessRule) throws {
        let stored = try scene.stored(["Cache-Control": row.response, "ETag": "\"a\""], rule: rule)
        let wishes: HTTPHeaders = row.request.isEmpty ? [:] : ["Cache-Control": row.request]
        let decision = scene.decide(stored, wishes, after: row.after, rule: rule)
        #expect(decision.action == row.action)
        #expect(decision.reason == row.4)
        let asks = row.action == .validate || row.action == .serveAndRevalidate
        #expect(decision.validators == (asks ? ["If-None-Match": "\"a\""] : [:]))
    }

    @Test(
        "RFC 9111 §4 P36 P45: by the standard rule the fresh is used and the stale is validated",
        arguments: [
            ("max-age=60", "", 0, .serve, .fresh(for: 60)), ("max-age=60", "", 59, .serve, .fresh(for: 1)),
            ("max-age=60", "", 60, .validate, .stale(since: 0)), ("max-age=60", "", 99, .validate, .stale(since: 39)),
            ("max-age=0", "", 0, .validate, .stale(since: 0)),
            ("max-age=31536000", "", 31_535_999, .serve, .fresh(for: 1)),
            ("max-age=99999999999999999999", "", 3_000_000_000, .serve, .fresh(for: 6_223_372_036)),
            ("max-age=60, must-revalidate", "", 59, .serve, .fresh(for: 1)),
            ("max-age=60, must-revalidate", "", 60, .validate, .stale(since: 0)),
            // RFC 9111 §5.2.2.4.
            ("max-age=60, no-cache", "", 0, .validate, .mustAsk), ("no-cache", "", 99, .validate, .mustAsk),
            ("max-age=60, no-cache=\"set-cookie\"", "", 0, .validate, .mustAsk),
        ] as [Row]) func standard(_ row: Row) throws
    {
        try expect(row, rule: .standard)
    }

    @Test(
        "RFC 9111 §5.2.1: what the request says of age, freshness and staleness",
        arguments: [
            // §5.2.1.1
            ("max-age=60", "max-age=10", 10, .serve, .fresh(for: 50)),
            ("max-age=60", "max-age=10", 11, .validate, .stale(since: 0)),
            ("max-age=60", "max-age=0", 1, .validate, .stale(since: 0)),
            ("max-age=60", "max-age=100", 70, .validate, .stale(since: 10)),
            ("max-age=60", "max-age=100, max-stale=10", 70, .serve, .staleAccepted(since: 10)),
            ("max-age=60", "max-age=10, max-stale", 30, .validate, .stale(since: 0)),
            // §5.2.1.2
            ("max-age=60", "max-stale=10", 70, .serve, .staleAccepted(since: 10)),
            ("max-age=60", "max-stale=10", 71, .validate, .stale(since: 11)),
            ("max-age=60", "max-stale", 86_400, .serve, .staleAccepted(since: 86_340)),
            ("max-age=60", "max-stale=99999999999999999999", 86_400, .serve, .staleAccepted(since: 86_340)),
            ("max-age=60", "max-stale=soon", 61, .validate, .stale(since: 1)),
            ("max-age=60, must-revalidate", "max-stale", 61, .validate, .stale(since: 1)),
            ("max-age=60, no-cache", "max-stale", 0, .validate, .mustAsk),
            // §5.2.1.3
            ("max-age=60", "min-fresh=20", 39, .serve, .fresh(for: 21)),
            ("max-age=60", "min-fresh=20", 40, .serve, .fresh(for: 20)),
            ("max-age=60", "min-fresh=20", 41, .validate, .stale(since: 0)),
            ("max-age=60", "min-fresh=20, max-stale=30", 70, .validate, .stale(since: 10)),
            ("max-age=60", "min-fresh=99999999999999999999", 0, .validate, .stale(since: 0)),
            // §5.2.1.4
            ("max-age=60", "no-cache", 0, .validate, .asked),
            ("max-age=60, immutable", "no-cache", 0, .validate, .asked),
            // §5.2.1.5: it forbids to keep the answer, not to use what is kept.
            ("max-age=60", "no-store", 0, .serve, .fresh(for: 60)),
            // §5.2.1.7
            ("max-age=60", "only-if-cached", 59, .serve, .fresh(for: 1)),
            ("max-age=60", "only-if-cached", 60, .refuse, .stale(since: 0)),
            ("max-age=60, stale-while-revalidate=60", "only-if-cached", 60, .refuse, .stale(since: 0)),
            ("max-age=60", "only-if-cached, max-stale=10", 70, .serve, .staleAccepted(since: 10)),
            ("max-age=60", "only-if-cached, no-cache", 0, .refuse, .asked),
            ("max-age=60, no-cache", "only-if-cached", 0, .refuse, .mustAsk),
        ] as [Row]) func wishes(_ row: Row) throws
    {
        try expect(row, rule: .standard)
    }

    @Test("RFC 9111 §5.4: Pragma: no-cache in a request that has no Cache-Control asks the origin")
    func pragma() throws {
        let stored = try scene.stored(["Cache-Control": "max-age=60"])
        #expect(scene.decide(stored, ["Pragma": "no-cache"], after: 0).reason == .asked)
        #expect(scene.decide(stored, ["Pragma": "no-cache", "Cache-Control": "max-age=60"], after: 0).action == .serve)
    }

    @Test(
        "RFC 5861 §3 W026: within stale-while-revalidate it is used and validated, unless either side forbids it",
        arguments: [
            ("max-age=60, stale-while-revalidate=30", "", 59, .serve, .fresh(for: 1)),
            (
                "max-age=60, stale-while-revalidate=30", "", 60, .serveAndRevalidate,
                .staleWhileRevalidating(since: 0)
            ),
            (
                "max-age=60, stale-while-revalidate=30", "", 89, .serveAndRevalidate,
                .staleWhileRevalidating(since: 29)
            ),
            ("max-age=60, stale-while-revalidate=30", "", 90, .validate, .stale(since: 30)),
            (
                "max-age=60, stale-while-revalidate=99999999999999999999", "", 86_460, .serveAndRevalidate,
                .staleWhileRevalidating(since: 86_400)
            ),
            ("max-age=60, stale-while-revalidate", "", 60, .validate, .stale(since: 0)),
            ("max-age=60, stale-while-revalidate=30, must-revalidate", "", 60, .validate, .stale(since: 0)),
            ("max-age=60, stale-while-revalidate=30, no-cache", "", 0, .validate, .mustAsk),
            // RFC 9111 §5.2.1.1 and §5.2.1.2: the client takes nothing stale, or nothing as stale as that.
            ("max-age=60, stale-while-revalidate=30", "max-age=100", 60, .validate, .stale(since: 0)),
            ("max-age=60, stale-while-revalidate=30", "max-stale=5", 65, .serve, .staleAccepted(since: 5)),
            ("max-age=60, stale-while-revalidate=30", "max-stale=5", 66, .validate, .stale(since: 6)),
            ("max-age=60, stale-while-revalidate=30", "min-fresh=0", 60, .validate, .stale(since: 0)),
            ("max-age=60, stale-while-revalidate=30", "no-cache", 60, .validate, .asked),
        ] as [Row]) func whileRevalidating(_ row: Row) throws
    {
        try expect(row, rule: .standard)
    }

    @Test(
        "RFC 8246 §2 C030: by the rule .revalidate all is asked for but what is fresh and immutable",
        arguments: [
            ("max-age=60", "", 0, .validate, .asked), ("max-age=60", "", 60, .validate, .asked),
            ("max-age=60, stale-while-revalidate=30", "", 60, .validate, .asked),
            ("max-age=60, immutable", "", 59, .serve, .immutable),
            ("max-age=60, immutable", "", 60, .validate, .asked),
            ("max-age=60, immutable, no-cache", "", 0, .validate, .asked),
            ("max-age=60, immutable", "no-cache", 0, .validate, .asked),
            ("max-age=60", "max-stale", 60, .validate, .asked),
            // RFC 9111 §5.2.1.7
            ("max-age=60", "only-if-cached", 0, .refuse, .asked),
            ("max-age=60", "only-if-cached", 60, .refuse, .asked),
            ("max-age=60, immutable", "only-if-cached", 0, .serve, .immutable),
        ] as [Row]) func revalidate(_ row: Row) throws
    {
        try expect(row, rule: .revalidate)
    }

    @Test(
        "P45: by the rule .lifetime only the time since it came counts",
        arguments: [
            ("max-age=0", "", 0, .serve, .withinOwnLifetime), ("no-store", "", 29, .serve, .withinOwnLifetime),
            ("no-cache, must-revalidate", "", 29, .serve, .withinOwnLifetime),
            ("max-age=99", "", 30, .validate, .ownLifetimeOver),
            ("max-age=99, immutable", "", 30, .validate, .ownLifetimeOver),
            ("max-age=0, stale-while-revalidate=99", "", 30, .validate, .ownLifetimeOver),
            ("max-age=99", "only-if-cached", 29, .serve, .withinOwnLifetime),
            ("max-age=99", "only-if-cached", 30, .refuse, .ownLifetimeOver),
            // A clock that was set back: by less, and by more than the lifetime.
            ("max-age=99", "", -30, .serve, .withinOwnLifetime), ("max-age=99", "", -31, .validate, .ownLifetimeOver),
        ] as [Row]) func ownLifetime(_ row: Row) throws
    {
        try expect(row, rule: .lifetime(.seconds(30)))
    }

    @Test("P45: own lifetimes of none, less than none, and more than can be counted")
    func oddLifetimes() throws {
        let stored = try scene.stored(["Cache-Control": "max-age=60", "Age": "999"])
        for lifetime in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
            #expect(scene.decide(stored, after: 0, rule: .lifetime(lifetime)).reason == .ownLifetimeOver)
        }
        #expect(scene.decide(stored, after: 8_000_000_000, rule: .lifetime(.seconds(Int64.max))).action == .serve)
        #expect(scene.decide(stored, after: 0, rule: .lifetime(.nanoseconds(1))).action == .serve)
    }

    @Test(
        "RFC 9111 §4.2.4 P45: by the rule .cacheOnly it is used however old it is, and told from the fresh",
        arguments: [
            ("max-age=60", "", 59, .serve, .fresh(for: 1)), ("max-age=60", "", 60, .serve, .staleOffline(since: 0)),
            ("max-age=60", "", 86_460, .serve, .staleOffline(since: 86_400)),
            ("max-age=60, must-revalidate", "", 61, .serve, .staleOffline(since: 1)),
            ("max-age=60, no-cache", "", 0, .serve, .staleOffline(since: 0)),
            ("no-cache", "", 61, .serve, .staleOffline(since: 1)),
            ("max-age=60", "no-cache", 0, .serve, .fresh(for: 60)),
            ("max-age=60", "max-age=0", 1, .serve, .fresh(for: 59)),
        ] as [Row]) func cacheOnly(_ row: Row) throws
    {
        try expect(row, rule: .cacheOnly)
    }

    @Test(
        "By the rule .networkOnly the origin is asked as if nothing were stored",
        arguments: [
            ("max-age=60", "", 0, .fetch, .cacheNotWanted), ("max-age=60, immutable", "", 0, .fetch, .cacheNotWanted),
            ("max-age=60", "max-stale", 60, .fetch, .cacheNotWanted),
        ] as [Row]) func networkOnly(_ row: Row) throws
    {
        try expect(row, rule: .networkOnly)
    }

    @Test(
        "RFC 9111 §4 and §5.2.1.7: with nothing stored it is fetched, or refused where the origin is not to be asked",
        arguments: [
            (.standard, .fetch, .refuse), (.revalidate, .fetch, .refuse), (.lifetime(.seconds(9)), .fetch, .refuse),
            (.cacheOnly, .refuse, .refuse), (.networkOnly, .fetch, .fetch),
        ] as [(FreshnessRule, CachingDecision.Action, CachingDecision.Action)])
    func nothing(_ rule: FreshnessRule, _ action: CachingDecision.Action, _ ifCached: CachingDecision.Action) throws {
        let other = try scene.stored(["Vary": "Accept"], for: scene.request(["Accept": "image/avif"]))
        for stored in [nil, other] {
            let plain = scene.decide(stored, after: 0, rule: rule)
            #expect(plain.action == action)
            #expect(plain.validators.isEmpty)
            #expect(
                plain.reason
                    == (rule == .networkOnly ? .cacheNotWanted : stored == nil ? .nothingStored : .otherVariant))
            #expect(scene.decide(stored, ["Cache-Control": "only-if-cached"], after: 0, rule: rule).action == ifCached)
        }
    }

    @Test(
        "C022 C304: every reason to use something says whether that is fresh",
        arguments: [
            (.fresh(for: 1), .fresh), (.immutable, .fresh), (.withinOwnLifetime, .fresh), (.stale(since: 1), .stale),
            (.staleWhileRevalidating(since: 1), .stale), (.staleAccepted(since: 1), .stale),
            (.staleOffline(since: 1), .stale),
        ] as [(CachingReason, ResponseFreshness)])
    func freshness(_ reason: CachingReason, _ freshness: ResponseFreshness) {
        #expect(CachingDecision(.serve, reason).freshness == freshness)
    }
}
