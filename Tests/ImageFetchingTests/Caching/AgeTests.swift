import Testing

@testable import ImageFetching

/// RFC 9111 §4.2.1 to §4.2.3.
@Suite struct AgeTests {
    let scene: CachingScene
    private static let second = CachingScene.second

    init() throws { scene = try CachingScene() }

    private func lifetime(_ headers: HTTPHeaders) throws -> Int64 {
        try scene.stored(headers).lifetime / Self.second
    }

    @Test(
        "RFC 9111 §4.2.1: max-age, else Expires less Date; s-maxage is for others",
        arguments: [
            (["Cache-Control": "max-age=60"], 60),
            (["Cache-Control": "max-age=60", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 60),
            (["Cache-Control": "max-age=0", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 0),
            (["Cache-Control": "max-age=x", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 0),
            (["Cache-Control": "s-maxage=5, max-age=60"], 60),
            (["Cache-Control": "s-maxage=5", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 3_600),
            (["Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 3_600),
            (["Expires": "Sunday, 06-Nov-94 09:49:37 GMT"], 3_600), (["Expires": "Sun Nov  6 09:49:37 1994"], 3_600),
            // Both by the origin's own clock, whatever ours says.
            (["Date": "Sun, 06 Nov 1994 08:49:00 GMT", "Expires": "Sun, 06 Nov 1994 08:50:00 GMT"], 60),
            (["Date": "Fri, 11 Nov 1994 08:49:00 GMT", "Expires": "Fri, 11 Nov 1994 08:50:00 GMT"], 60),
            (["Date": CachingScene.date, "Expires": CachingScene.date], 0),
            (["Expires": "Sun, 06 Nov 1994 08:49:36 GMT"], 0), (["Expires": "Thu, 01 Jan 1970 00:00:00 GMT"], 0),
        ] as [(HTTPHeaders, Int64)])
    func explicit(_ headers: HTTPHeaders, _ seconds: Int64) throws {
        #expect(try lifetime(headers) == seconds)
    }

    @Test(
        "RFC 9111 §5.3: an Expires that is no date, or that comes twice, is in the past",
        arguments: ["0", "-1", "", "never", "Sun, 31 Feb 2094 08:49:37 GMT", "Sun, 06 Nov 2094 08:49:37 PST"])
    func badExpires(_ text: String) throws {
        #expect(try lifetime(["Expires": text]) == 0)
        if !text.isEmpty {
            #expect(try lifetime(["Expires": "Sun, 06 Nov 1994 09:49:37 GMT", "expires": text]) == 0)
        }
        #expect(scene.decide(try scene.stored(["Expires": text]), after: 0).action == .validate)
    }

    @Test(
        "RFC 9111 §4.2.2: without a lifetime a tenth of the time since the last change, from a minute to a day",
        arguments: [
            // What it says, when it changed in seconds before it came.
            ("Sun, 06 Nov 1994 08:49:37 GMT", 60), ("Sun, 06 Nov 1994 08:39:37 GMT", 60),
            ("Sun, 06 Nov 1994 08:39:27 GMT", 61), ("Sun, 06 Nov 1994 07:49:37 GMT", 360),
            ("Sat, 05 Nov 1994 08:49:37 GMT", 8_640), ("Thu, 27 Oct 1994 08:49:37 GMT", 86_400),
            ("Thu, 27 Oct 1994 08:49:47 GMT", 86_399), ("Wed, 26 Oct 1994 08:49:37 GMT", 86_400),
            ("Thu, 01 Jan 1601 00:00:00 GMT", 86_400), ("Mon, 07 Nov 1994 08:49:37 GMT", 60), ("yesterday", 60),
        ] as [(String, Int64)])
    func heuristic(_ lastModified: String, _ seconds: Int64) throws {
        #expect(try lifetime(["Date": CachingScene.date, "Last-Modified": lastModified]) == seconds)
        #expect(try lifetime(["Last-Modified": lastModified]) == seconds)
        #expect(try lifetime(["Last-Modified": lastModified, "Cache-Control": "max-age=7"]) == 7)
        #expect(try lifetime(["Last-Modified": lastModified, "Expires": "0"]) == 0)
    }

    @Test("RFC 9111 §4.2.2: a response that says nothing at all is fresh for a minute")
    func silent() throws {
        #expect(try lifetime([:]) == 60)
        #expect(try lifetime(["Cache-Control": "public"]) == 60)
    }

    @Test(
        "RFC 9111 §4.2.3: the greater of what Date tells and what Age and the way tell",
        arguments: [
            ([:], 0, 0), (["Date": CachingScene.date], 0, 0), ([:], 3, 3), (["Age": "10"], 0, 10),
            (["Age": "10"], 3, 13), (["Date": "Sun, 06 Nov 1994 08:49:07 GMT"], 0, 30),
            (["Date": "Sun, 06 Nov 1994 08:49:07 GMT", "Age": "10"], 3, 30),
            (["Date": "Sun, 06 Nov 1994 08:49:07 GMT", "Age": "40"], 3, 43),
            // An origin whose clock is ahead.
            (["Date": "Sun, 06 Nov 1994 09:49:37 GMT"], 3, 3),
            (["Date": "Sun, 06 Nov 1994 09:49:37 GMT", "Age": "9"], 3, 12),
            (["Date": "Fri, 31 Dec 9999 23:59:59 GMT"], 3, 3), (["Date": "garbage"], 3, 3),
            // The clock was set back while the answer was on its way.
            (["Age": "10"], -50, 10),
        ] as [(HTTPHeaders, Int64, Int64)])
    func initial(_ headers: HTTPHeaders, _ delay: Int64, _ seconds: Int64) throws {
        let stored = try scene.stored(headers, delay: delay)
        #expect(stored.initialAge == seconds * Self.second)
        #expect(stored.age(at: CachingScene.came) == seconds * Self.second)
        #expect(stored.age(at: CachingScene.came + 7 * Self.second) == (seconds + 7) * Self.second)
        // Times before the response came add nothing.
        #expect(stored.age(at: CachingScene.came - 7 * Self.second) == seconds * Self.second)
    }

    @Test(
        "RFC 9111 §5.1: of a list of ages the first counts, and what is no number counts as none",
        arguments: [
            ("0", 0), ("5", 5), ("5, 9", 5), ("", 0), ("-5", 0), ("+5", 0), ("5.5", 0), ("5s", 0), ("old", 0), ("٥", 0),
            ("1 0", 0), (", 5", 5),
        ] as [(String, Int64)])
    func ageField(_ text: String, _ seconds: Int64) throws {
        #expect(try scene.stored(["Age": text]).initialAge == seconds * Self.second)
    }

    @Test("RFC 9111 §4.2: fresh while the lifetime is greater than the age, and no longer")
    func boundary() throws {
        let stored = try scene.stored(["Cache-Control": "max-age=60", "Age": "10"])
        #expect(stored.freshness(at: CachingScene.came) == 50 * Self.second)
        #expect(stored.freshness(at: CachingScene.came + 50 * Self.second) == 0)
        #expect(stored.freshUntil == CachingScene.came + 50 * Self.second)
        #expect(scene.decide(stored, after: 49).action == .serve)
        #expect(scene.decide(stored, after: 50).action == .validate)
    }

    @Test("A clock that was set back: up to the lifetime counts as no time, more than that as stale")
    func setBack() throws {
        let stored = try scene.stored(["Cache-Control": "max-age=60, stale-while-revalidate=60"])
        #expect(stored.freshness(at: CachingScene.came - 60 * Self.second) == 60 * Self.second)
        #expect(stored.freshness(at: CachingScene.came - 60 * Self.second - 1) < 0)
        #expect(stored.freshness(at: .min) < 0)
        #expect(stored.freshness(at: .max) < 0)
    }

    @Test(
        "RFC 5861 §3 and §4: how long it may be used beyond its lifetime, and never under must-revalidate or no-cache")
    func windows() throws {
        let both = try scene.stored(["Cache-Control": "max-age=60, stale-while-revalidate=10, stale-if-error=20"])
        #expect(both.usableWhileRevalidatingUntil == CachingScene.came + 70 * Self.second)
        #expect(both.usableInsteadOfErrorUntil == CachingScene.came + 80 * Self.second)
        for forbids in ["must-revalidate", "no-cache"] {
            let strict = try scene.stored([
                "Cache-Control": "max-age=60, stale-while-revalidate=10, stale-if-error=20, \(forbids)"
            ])
            #expect(strict.usableWhileRevalidatingUntil == strict.freshUntil)
            #expect(strict.usableInsteadOfErrorUntil == strict.freshUntil)
        }
        #expect(try scene.stored(["Cache-Control": "max-age=60, no-cache"]).freshUntil == .min)
    }

    @Test(
        "Everything saturates: times and numbers at the ends of what can be said",
        arguments: [Int64.min, -1, 0, CachingScene.came, .max], [Int64.min, -1, 0, CachingScene.came, .max])
    func saturation(_ requestTime: Int64, _ responseTime: Int64) throws {
        let huge = "9999999999999999999999"
        let fields: [HTTPHeaders] = [
            [:], ["Age": huge], ["Cache-Control": "max-age=\(huge)"], ["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"],
            ["Date": "Sat, 01 Jan 0000 00:00:00 GMT", "Age": huge],
            ["Date": "Fri, 31 Dec 9999 23:59:59 GMT", "Expires": "Sat, 01 Jan 0000 00:00:00 GMT"],
            ["Date": "Sat, 01 Jan 0000 00:00:00 GMT", "Expires": "Fri, 31 Dec 9999 23:59:59 GMT"],
            ["Last-Modified": "Sat, 01 Jan 0000 00:00:00 GMT"], ["Last-Modified": "Fri, 31 Dec 9999 23:59:59 GMT"],
            ["Cache-Control": "max-age=\(huge), stale-while-revalidate=\(huge), stale-if-error=\(huge)", "Age": huge],
        ]
        for headers in fields {
            let stored = try #require(
                HTTPCaching.stored(
                    scene.head(200, headers), for: scene.request(), requestTime: requestTime,
                    responseTime: responseTime, rule: .standard))
            #expect(stored.lifetime >= 0)
            #expect(stored.initialAge >= 0)
            #expect(stored.usableWhileRevalidatingUntil >= stored.freshUntil)
            #expect(stored.usableInsteadOfErrorUntil >= stored.freshUntil)
            for now in [Int64.min, -1, 0, CachingScene.came, .max] {
                #expect(stored.age(at: now) >= stored.initialAge)
                _ = stored.freshness(at: now)
            }
        }
    }
}
