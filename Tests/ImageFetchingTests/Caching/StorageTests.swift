import Foundation
import Testing

@testable import ImageFetching

/// RFC 9111 §3: what is kept.
@Suite struct StorageTests {
    let scene: CachingScene
    private static let rules: [FreshnessRule] = [.standard, .revalidate, .cacheOnly, .networkOnly]

    init() throws { scene = try CachingScene() }

    private func stored(
        _ status: Int?, _ headers: HTTPHeaders, _ request: HTTPHeaders = [:], rule: FreshnessRule
    ) -> StoredResponse? {
        HTTPCaching.stored(
            scene.head(status, headers), for: scene.request(request), requestTime: 1, responseTime: 2, rule: rule)
    }

    @Test("RFC 9111 §3: 200 and 203 are kept, and no other status, nor what has none, whatever the rule")
    func statuses() {
        for rule in Self.rules + [.lifetime(.seconds(60))] {
            for status in 100...599 {
                #expect(
                    (stored(status, ["Cache-Control": "max-age=60"], rule: rule) != nil) == [200, 203].contains(status))
            }
            for status in [nil, 0, -1, Int.min, Int.max] {
                #expect(stored(status, ["Cache-Control": "max-age=60"], rule: rule) == nil)
            }
        }
    }

    @Test(
        "RFC 9111 §5.2.1.5, §5.2.2.5 and §4.1: no-store on either side or Vary: * keeps it out, but not under .lifetime",
        arguments: [
            (["Cache-Control": "no-store"], [:]), (["Cache-Control": "max-age=60, No-Store"], [:]),
            (["Cache-Control": "max-age=60", "cache-control": "no-store"], [:]),
            (["Cache-Control": "no-store, must-understand"], [:]), (["Cache-Control": "foo=\"bar, no-store"], [:]),
            ([:], ["Cache-Control": "no-store"]), (["Vary": "*"], [:]), (["Vary": "Accept, *"], [:]),
            (["Vary": "Accept", "vary": "*"], [:]),
        ] as [(HTTPHeaders, HTTPHeaders)])
    func forbidden(_ headers: HTTPHeaders, _ request: HTTPHeaders) throws {
        for rule in Self.rules { #expect(stored(200, headers, request, rule: rule) == nil) }
        let forced = try #require(stored(200, headers, request, rule: .lifetime(.seconds(60))))
        #expect(forced.matches(scene.request(request)))
    }

    @Test(
        "RFC 9111 §3: nothing else keeps it out",
        arguments: [
            [:], ["Cache-Control": "private"], ["Cache-Control": "no-cache"], ["Cache-Control": "max-age=0"],
            ["Cache-Control": "must-revalidate"], ["Expires": "0"], ["Vary": "Accept"], ["Pragma": "no-cache"],
            ["Cache-Control": "x=\"no-store\""],
        ] as [HTTPHeaders])
    func allowed(_ headers: HTTPHeaders) {
        for rule in Self.rules {
            #expect(stored(200, headers, ["Authorization": "Basic YTpi"], rule: rule) != nil)
        }
    }

    @Test("W026: kept beside the bytes: what freshness and validation need, and neither cookies nor the rest")
    func kept() throws {
        let head: HTTPHeaders = [
            "Age": "1", "CACHE-CONTROL": "max-age=60", "Content-Type": "image/png", "Date": CachingScene.date,
            "ETag": "\"a\"", "Expires": "0", "Last-Modified": CachingScene.date, "Pragma": "x", "Vary": "Accept",
            "Set-Cookie": "id=1", "Content-Length": "5", "Connection": "close", "X-Secret": "1",
            "cache-control": "immutable",
        ]
        let kept = try #require(stored(203, head, ["Accept": "image/avif"], rule: .standard))
        #expect(kept.status == 203)
        #expect(kept.headers.map(\.name) == StoredResponse.keptFields)
        #expect(kept.headers["Cache-Control"] == "max-age=60, immutable")
        #expect((kept.requestTime, kept.responseTime) == (1, 2))
        #expect(kept.varyingNames == ["accept"])
        #expect(kept.directives.maxAge == 60 && kept.directives.immutable)
        let text = kept.fields.values.joined(separator: "\n")
        #expect(!text.contains("avif") && !text.contains("pictures.example") && !text.contains("id=1"))
    }

    @Test(
        "W026: what is kept comes back from its fields, others among them",
        arguments: [
            [:], ["Cache-Control": "max-age=60", "ETag": "W/\"ä, 🦆\"", "Age": ""], ["Vary": "Accept, vary-, X"],
            ["Vary": "status, place, http-cache"], ["ETag": "a=b\\\"\n\u{0}"],
        ] as [HTTPHeaders])
    func roundTrip(_ headers: HTTPHeaders) throws {
        for times in [(Int64.min, Int64.max), (0, 0), (1, 2)] {
            let stored = try #require(
                HTTPCaching.stored(
                    scene.head(200, headers), for: scene.request(["Accept": "a", "Status": "200"]),
                    requestTime: times.0, responseTime: times.1, rule: .standard))
            #expect(StoredResponse(fields: stored.fields) == stored)
            #expect(StoredResponse(fields: stored.fields.merging(["name": "x", "x-place": "y"]) { $1 }) == stored)
        }
    }

    @Test(
        "Fields of another version, or that are none, give nothing",
        arguments: [
            ("http-cache", nil), ("http-cache", "2"), ("http-cache", ""), ("status", nil), ("status", "OK"),
            ("request-time", nil), ("request-time", "1.5"), ("response-time", nil),
            ("response-time", "9223372036854775808"), ("place", nil),
        ] as [(String, String?)])
    func broken(_ name: String, _ value: String?) throws {
        var fields = try scene.stored(["ETag": "\"a\""]).fields
        #expect(StoredResponse(fields: fields) != nil)
        fields[name] = value
        #expect(StoredResponse(fields: fields) == nil)
    }
}
