import Testing

@testable import ImageFetching

/// RFC 9111 §5.2 and §5.4.
@Suite struct CacheControlTests {
    private func parsed(_ values: String...) -> CacheControl {
        var headers = HTTPHeaders()
        for value in values { headers.append("Cache-Control", value) }
        return CacheControl(headers)
    }

    private func expected(_ change: (inout CacheControl) -> Void) -> CacheControl {
        var result = CacheControl()
        change(&result)
        return result
    }

    @Test("RFC 9111 §5.2: every directive that a private cache obeys, and nothing else, is read")
    func each() {
        #expect(parsed("no-store") == expected { $0.noStore = true })
        #expect(parsed("no-cache") == expected { $0.noCache = true })
        #expect(parsed("must-revalidate") == expected { $0.mustRevalidate = true })
        #expect(parsed("immutable") == expected { $0.immutable = true })
        #expect(parsed("only-if-cached") == expected { $0.onlyIfCached = true })
        #expect(parsed("max-age=60") == expected { $0.maxAge = 60 })
        #expect(parsed("min-fresh=60") == expected { $0.minFresh = 60 })
        #expect(parsed("max-stale=60") == expected { $0.maxStale = 60 })
        #expect(parsed("max-stale") == expected { $0.maxStale = .max })
        #expect(parsed("stale-while-revalidate=60") == expected { $0.staleWhileRevalidate = 60 })
        #expect(parsed("stale-if-error=60") == expected { $0.staleIfError = 60 })
        let all = expected {
            ($0.noCache, $0.mustRevalidate, $0.immutable, $0.maxAge) = (true, true, true, 5)
            ($0.staleWhileRevalidate, $0.staleIfError) = (6, 7)
        }
        #expect(
            parsed("max-age=5, stale-while-revalidate=6,stale-if-error=7 ,immutable", "must-revalidate, no-cache")
                == all)
    }

    @Test(
        "RFC 9111 §5.2.3: unknown directives, and those for shared caches, are passed over",
        arguments: [
            "", ",", " , ,", "public", "private", "private=\"set-cookie\"", "s-maxage=0", "proxy-revalidate",
            "no-transform", "must-understand", "community=\"UCI\"", "x-max-age=9", "max-age-x=9", "max_age=9",
            "nostore", "no-store-x", "=5", "=", "==,=", "foo=\"no-store, no-cache, max-age=1\"",
            "foo=\"a\\\", no-store\"", "foo=no-store", "\\", "no–store",
        ])
    func unknown(_ value: String) {
        #expect(parsed(value) == CacheControl())
        #expect(parsed("max-age=7, \(value)").maxAge == 7)
        #expect(parsed(value, "max-age=7") == expected { $0.maxAge = 7 })
    }

    @Test(
        "RFC 9111 §5.2: names in any case, white space around, and arguments as tokens or quoted",
        arguments: [
            "max-age=60", "MAX-AGE=60", "Max-Age=60", " max-age=60 ", "\tmax-age=60\t,", "max-age=\"60\"",
            "max-age = 60", "max-age=060", "foo=\"a,b\",max-age=60", "max-age=60,foo=\"\\\\\"", "max-age=\"6\\0\"",
        ])
    func forms(_ value: String) {
        #expect(parsed(value) == expected { $0.maxAge = 60 })
    }

    @Test("RFC 9111 §5.2.2.4: no-cache for single fields is no-cache, and the fields are no directives")
    func qualified() {
        #expect(parsed("no-cache=\"set-cookie, no-store\", max-age=5").noCache)
        #expect(!parsed("no-cache=\"set-cookie, no-store\", max-age=5").noStore)
        #expect(parsed("no-cache=\"set-cookie, no-store\", max-age=5").maxAge == 5)
    }

    @Test(
        "RFC 9111 §4.2.1: a lifetime that is no number is none",
        arguments: [
            "max-age", "max-age=", "max-age=\"\"", "max-age=-1", "max-age=+1", "max-age=1.5", "max-age=1s",
            "max-age=0x10", "max-age=1e3", "max-age=soon", "max-age=1 0", "max-age=\"1 0\"", "max-age=1=0",
            "max-age=٣", "max-age='60'",
        ])
    func noNumber(_ value: String) {
        #expect(parsed(value) == expected { $0.maxAge = 0 })
    }

    @Test(
        "RFC 9111 §1.2.2: more seconds than fit are as many as fit",
        arguments: [
            ("9223372036854775807", Int64.max), ("9223372036854775808", .max), ("99999999999999999999999999", .max),
            ("2147483648", 2_147_483_648), ("0000000000000000000000000000001", 1),
        ] as [(String, Int64)])
    func overflow(_ digits: String, _ seconds: Int64) {
        let all = parsed(
            "max-age=\(digits), min-fresh=\(digits), max-stale=\(digits), stale-while-revalidate=\(digits), "
                + "stale-if-error=\(digits)")
        #expect([all.maxAge, all.minFresh, all.maxStale] == [seconds, seconds, seconds])
        #expect([all.staleWhileRevalidate, all.staleIfError] == [seconds, seconds])
    }

    @Test(
        "RFC 9111 §4.2.1: of two of a kind the stricter counts, in one field or in two",
        arguments: [
            ("max-age=10", "max-age=20", "max-age=10"), ("max-age=10", "max-age=x", "max-age=0"),
            ("max-stale=10", "max-stale=20", "max-stale=10"), ("max-stale", "max-stale=20", "max-stale=20"),
            ("min-fresh=10", "min-fresh=20", "min-fresh=20"), ("no-store", "no-store", "no-store"),
            ("stale-while-revalidate=10", "stale-while-revalidate=20", "stale-while-revalidate=10"),
            ("stale-if-error=10", "stale-if-error=20", "stale-if-error=10"),
        ])
    func duplicates(_ one: String, _ other: String, _ counts: String) {
        #expect(parsed("\(one), \(other)") == parsed(counts))
        #expect(parsed("\(other), \(one)") == parsed(counts))
        #expect(parsed(one, other) == parsed(counts))
        #expect(parsed(other, one) == parsed(counts))
    }

    @Test("A quote that is never closed hides nothing that follows it")
    func openQuote() {
        #expect(parsed("foo=\"bar, no-store").noStore)
        #expect(parsed("no-cache=\"set-cookie, max-age=5") == expected { ($0.noCache, $0.maxAge) = (true, 5) })
        #expect(parsed("foo=\"", "no-store").noStore)
    }

    @Test(
        "RFC 9111 §5.4: Pragma counts where there is no Cache-Control",
        arguments: [
            (["Pragma": "no-cache"], true), (["pragma": "x, No-Cache"], true), (["Pragma": "x"], false),
            (["Pragma": "no-cache", "Cache-Control": "max-age=1"], false),
            (["Pragma": "no-cache", "Cache-Control": "no-cache"], true), ([:], false),
        ] as [(HTTPHeaders, Bool)])
    func pragma(_ headers: HTTPHeaders, _ isNoCache: Bool) {
        #expect(CacheControl(headers).noCache == isNoCache)
    }
}
