import Foundation
import Testing
import WebImageTesting

@testable import ImageFetching

/// What holds for every response, request and moment (RFC 9111 §4).
@Suite struct CachingPropertyTests {
    private static let dates = [
        CachingScene.date, "Sun, 06 Nov 1994 08:48:37 GMT", "Sun, 06 Nov 1994 09:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Fri, 31 Dec 9999 23:59:59 GMT",
        "Sat, 01 Jan 0000 00:00:00 GMT", "Sat, 31 Feb 1995 00:00:00 GMT", "0", "-1", "", "soon",
    ]
    private static let numbers = [
        "0", "1", "10", "60", "3600", "9223372036", "9223372037", "99999999999999999999", "-1", "x", "", "\"60\"",
    ]
    private static let tags = ["\"a\"", "\"b\"", "W/\"a\"", "W/\"b\"", "a", ""]
    private static let directives = [
        "max-age=", "max-age=", "s-maxage=", "stale-while-revalidate=", "stale-if-error=", "max-stale=", "max-stale",
        "min-fresh=", "no-cache", "must-revalidate", "immutable", "only-if-cached", "no-store", "private", "x=\"",
        "no-cache=\"set-cookie\"",
    ]

    /// Header fields, addresses and times, as likely to be odd as to be right.
    private struct Source {
        var generator: SeededGenerator

        mutating func pick<Element>(_ elements: [Element], else other: Element) -> Element {
            elements.randomElement(using: &generator) ?? other
        }

        mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }

        mutating func cacheControl() -> String {
            (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                let name = pick(directives, else: "")
                return name.hasSuffix("=") ? name + pick(numbers, else: "") : name
            }.joined(separator: pick([",", ", ", " , "], else: ","))
        }

        mutating func response() -> HTTPHeaders {
            var headers = HTTPHeaders()
            for name in ["Cache-Control", "Cache-Control"] where !chance(3) { headers.append(name, cacheControl()) }
            for name in ["Date", "Expires", "Last-Modified"] where chance(2) {
                headers.append(name, pick(dates, else: ""))
            }
            if chance(3) { headers.append("Age", pick(numbers, else: "")) }
            if chance(2) { headers.append("ETag", pick(tags, else: "")) }
            if chance(4) { headers.append("Vary", pick(["Accept", "accept, x", "*", "", "X,,X"], else: "")) }
            if chance(9) { headers.append("Pragma", "no-cache") }
            return headers
        }

        mutating func request(_ url: URL) -> FetchRequest {
            var headers = HTTPHeaders()
            if chance(2) { headers.append("Cache-Control", cacheControl()) }
            if chance(3) { headers.append("Accept", pick(["a", "a, b", "a,b", ""], else: "")) }
            if chance(9) { headers.append("Pragma", "no-cache") }
            return FetchRequest(url: url, headers: headers)
        }

        mutating func moment() -> Int64 {
            if chance(20) { return pick([.min, .min + 1, -1, 0, .max - 1, .max], else: 0) }
            let reach: Int64 = pick([1, 60, 3_600, 86_400, 8_000_000_000], else: 1)
            return CachingScene.came + Int64.random(in: -reach...reach, using: &generator) * CachingScene.second
        }

        mutating func rule() -> FreshnessRule {
            pick(
                [
                    .standard, .standard, .standard, .revalidate, .cacheOnly, .networkOnly, .lifetime(.zero),
                    .lifetime(.seconds(60)), .lifetime(.seconds(Int64.max)), .lifetime(.seconds(Int64.min)),
                ], else: .standard)
        }
    }

    /// What the rules promise of one decision; the name of the promise that is broken, if one is.
    private func broken(_ stored: StoredResponse?, _ request: FetchRequest, _ rule: FreshnessRule, _ now: Int64)
        -> String?
    {
        let decision = HTTPCaching.decide(stored, for: request, rule: rule, now: now)
        let wishes = CacheControl(request.headers)
        let asks = [.serveAndRevalidate, .validate, .fetch].contains(decision.action)
        let uses = [.serve, .serveAndRevalidate].contains(decision.action)
        if rule == .cacheOnly, asks { return ".cacheOnly asks" }
        if wishes.onlyIfCached, rule != .networkOnly, asks { return "only-if-cached asks" }
        if rule == .networkOnly, decision.action != .fetch { return ".networkOnly does not fetch" }
        guard let stored else { return uses ? "nothing is used" : nil }
        if uses, !stored.matches(request) { return "another variant is used" }
        if !decision.validators.isEmpty, decision.validators != stored.validators { return "other validators" }
        if case .staleOffline(let since) = decision.reason, since < 0 { return "stale for less than no time" }
        let left = stored.freshness(at: now)
        if rule == .standard, uses {
            if stored.directives.noCache { return ".standard uses no-cache unasked" }
            if wishes.noCache { return ".standard uses it against the request" }
            if left <= 0, stored.directives.mustRevalidate { return ".standard uses the stale with must-revalidate" }
            if left <= 0, wishes.maxStale == nil, stored.directives.staleWhileRevalidate == nil {
                return ".standard uses the stale unasked"
            }
            if left <= 0, decision.freshness == .fresh { return "the stale is called fresh" }
        }
        if rule == .revalidate, uses, !(stored.directives.immutable && left > 0 && !stored.directives.noCache) {
            return ".revalidate uses what is not immutable"
        }
        if StoredResponse(fields: stored.fields) != stored { return "does not come back from its fields" }
        if stored.usableWhileRevalidatingUntil < stored.freshUntil { return "usable for less long than fresh" }
        return nil
    }

    @Test(
        "P45: 40,000 random responses, requests, rules and times: nothing traps and no promise is broken",
        arguments: [9111, 5861, 8246, 9110] as [UInt64])
    func promises(_ seed: UInt64) async throws {
        let scene = try CachingScene()
        let other = try #require(URL(string: "https://pictures.example/b.png"))
        var source = Source(generator: SeededGenerator(seed: seed))
        var kept = 0, renewed = 0, used = 0
        for round in 0..<10_000 {
            // Other tests of the process wait for the same threads.
            if round % 100 == 0 { await Task.yield() }
            let (request, headers, rule) = (source.request(scene.url), source.response(), source.rule())
            let stored = HTTPCaching.stored(
                scene.head(200, headers), for: request, requestTime: source.moment(), responseTime: source.moment(),
                rule: source.chance(4) ? .lifetime(.seconds(1)) : .standard)
            let asking = source.chance(2) ? request : source.request(scene.url)
            let now = source.moment()
            var failure = broken(stored, asking, rule, now)
            if let stored {
                kept += 1
                if HTTPCaching.decide(stored, for: asking, rule: rule, now: now).action == .serve { used += 1 }
                _ = HTTPCaching.mayServeStale(stored, for: asking, after: FetchError(.timeout, ""), now: now)
                let newer = HTTPCaching.refreshed(
                    stored, by: scene.head(304, source.response(), at: source.chance(9) ? other : nil), for: asking,
                    requestTime: source.moment(), responseTime: source.moment())
                if let newer {
                    renewed += 1
                    failure = failure ?? broken(newer, asking, rule, source.moment())
                    if newer.directives.noStore, !stored.directives.noStore { failure = "a 304 keeps no-store" }
                }
            }
            if let failure {
                Issue.record("\(failure), seed \(seed), round \(round): \(rule) \(now) \(headers) \(asking.headers)")
                return
            }
        }
        // The dice fall on every side.
        #expect(kept > 2_000 && renewed > 400 && used > 400)
    }
}
