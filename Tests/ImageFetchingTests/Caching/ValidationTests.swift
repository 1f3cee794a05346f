import Foundation
import Testing

@testable import ImageFetching

/// RFC 9111 §4.3.
@Suite struct ValidationTests {
    let scene: CachingScene
    private static let second = CachingScene.second
    private static let earlier = "Sat, 05 Nov 1994 08:49:37 GMT"

    init() throws { scene = try CachingScene() }

    @Test(
        "RFC 9111 §4.3.1 P2 W026: the origin is asked with the tag and the date as they came",
        arguments: [
            ([:], [:]), (["ETag": "\"a\""], ["If-None-Match": "\"a\""]),
            (["ETag": "W/\"a\""], ["If-None-Match": "W/\"a\""]),
            (
                ["Last-Modified": "Sunday, 06-Nov-94 08:49:37 GMT"],
                ["If-Modified-Since": "Sunday, 06-Nov-94 08:49:37 GMT"]
            ),
            (
                ["Last-Modified": earlier, "etag": "\"a\"", "Date": CachingScene.date],
                ["If-None-Match": "\"a\"", "If-Modified-Since": earlier]
            ),
        ] as [(HTTPHeaders, HTTPHeaders)])
    func validators(_ headers: HTTPHeaders, _ conditions: HTTPHeaders) throws {
        let stored = try scene.stored(headers)
        #expect(stored.validators == conditions)
        #expect(stored.hasValidator == !conditions.isEmpty)
        #expect(scene.decide(stored, after: 86_401).validators == conditions)
    }

    @Test("RFC 9111 §4.3.4 C167: a 304 renews the times and the fields that it has, and keeps the others")
    func merged() throws {
        let stored = try scene.stored([
            "Cache-Control": "max-age=60", "Content-Type": "image/png", "ETag": "\"a\"", "Age": "50",
            "Date": "Sun, 06 Nov 1994 08:48:47 GMT", "Last-Modified": Self.earlier,
        ])
        let fresh = try #require(
            scene.refreshed(
                stored,
                by: [
                    "Cache-Control": "max-age=30", "ETag": "\"a\"", "Date": "Sun, 06 Nov 1994 08:51:17 GMT",
                    "Expires": "0", "Set-Cookie": "id=1", "Content-Length": "0",
                ]))
        let expected: HTTPHeaders = [
            "cache-control": "max-age=30", "content-type": "image/png", "date": "Sun, 06 Nov 1994 08:51:17 GMT",
            "etag": "\"a\"", "expires": "0", "last-modified": Self.earlier,
        ]
        #expect(fresh.headers == expected)
        #expect((fresh.status, fresh.place) == (200, stored.place))
        #expect(fresh.responseTime == CachingScene.came + 100 * Self.second)
        #expect(fresh.freshUntil == CachingScene.came + 130 * Self.second)
        #expect(StoredResponse(fields: fresh.fields) == fresh)
    }

    @Test("RFC 9110 §6.6.1: a 304 without a date was made when it came, and one without an age has none")
    func undated() throws {
        let stored = try scene.stored(["Cache-Control": "max-age=60", "Date": CachingScene.date, "Age": "5"])
        let fresh = try #require(scene.refreshed(stored, by: [:], after: 86_400))
        #expect(fresh.initialAge == 0)
        #expect(scene.decide(fresh, after: 86_459).action == .serve)
        #expect(scene.decide(fresh, after: 86_460).action == .validate)
        #expect(try #require(scene.refreshed(stored, by: ["Age": "7"], after: 86_400)).initialAge == 7 * Self.second)
    }

    @Test(
        "RFC 9111 §4.3.4: a 304 that speaks of another version renews nothing",
        arguments: [
            (["ETag": "\"a\""], ["ETag": "\"b\""], false), (["ETag": "\"a\""], ["ETag": "\"a\""], true),
            (["ETag": "\"a\""], [:], true), (["ETag": "\"a\""], ["ETag": "\"A\""], false),
            // RFC 9110 §8.8.3.2: the weak comparison is the one of If-None-Match.
            (["ETag": "W/\"a\""], ["ETag": "W/\"a\""], true), (["ETag": "W/\"a\""], ["ETag": "\"a\""], true),
            (["ETag": "\"a\""], ["ETag": "W/\"a\""], true), (["ETag": "W/\"a\""], ["ETag": "W/\"b\""], false),
            (["ETag": "w/\"a\""], ["ETag": "W/\"a\""], false),
            (["Last-Modified": earlier], ["Last-Modified": earlier], true), (["Last-Modified": earlier], [:], true),
            (["Last-Modified": earlier], ["Last-Modified": CachingScene.date], false),
            // The tag decides where both have one.
            (
                ["ETag": "\"a\"", "Last-Modified": earlier], ["ETag": "\"a\"", "Last-Modified": CachingScene.date],
                true
            ),
            (["ETag": "\"a\"", "Last-Modified": earlier], ["ETag": "\"b\"", "Last-Modified": earlier], false),
            (["ETag": "\"a\"", "Last-Modified": earlier], ["Last-Modified": CachingScene.date], false),
            // A strong tag that is not known here names another version, unless the date says that it is this one.
            (["Last-Modified": earlier], ["ETag": "\"b\""], false), ([:], ["ETag": "\"b\""], false),
            (["Last-Modified": earlier], ["ETag": "W/\"b\""], true),
            (["Last-Modified": earlier], ["ETag": "\"b\"", "Last-Modified": earlier], true),
            (["Last-Modified": earlier], ["ETag": "\"b\"", "Last-Modified": CachingScene.date], false),
            ([:], [:], true),
        ] as [(HTTPHeaders, HTTPHeaders, Bool)])
    func otherVersion(_ old: HTTPHeaders, _ new: HTTPHeaders, _ isRenewed: Bool) throws {
        #expect((scene.refreshed(try scene.stored(old), by: new) != nil) == isRenewed)
    }

    @Test("RFC 9111 §4.3.4: another address, and a status other than 304, renew nothing")
    func otherAddress() throws {
        let stored = try scene.stored(["ETag": "\"a\""])
        #expect(scene.refreshed(stored, by: ["ETag": "\"a\""]) != nil)
        for address in [
            "https://pictures.example/b.png", "http://pictures.example/a.png", "https://pictures.example/a.png?1",
        ] {
            let other = try #require(URL(string: address))
            #expect(scene.refreshed(stored, by: ["ETag": "\"a\""], at: other) == nil)
        }
        for status in [200, 203, 206, 301, 404, 412, 500] {
            #expect(scene.refreshed(stored, by: ["ETag": "\"a\""], status: status) == nil)
        }
    }

    @Test("RFC 9111 §5.2.2.5: a 304 that says no-store ends the keeping; what was kept in spite of it stays")
    func noStore() throws {
        let stored = try scene.stored(["ETag": "\"a\"", "Cache-Control": "max-age=60"])
        #expect(scene.refreshed(stored, by: ["ETag": "\"a\"", "Cache-Control": "no-store"]) == nil)
        let forced = try scene.stored(["ETag": "\"a\"", "Cache-Control": "no-store"], rule: .lifetime(.seconds(9)))
        #expect(scene.refreshed(forced, by: ["ETag": "\"a\"", "Cache-Control": "no-store"]) != nil)
    }

    @Test("RFC 9111 §4.1 P47: a 304 that changes Vary changes what is compared")
    func changedVary() throws {
        let avif = scene.request(["Accept": "image/avif", "X": "1"])
        let stored = try scene.stored(["Vary": "Accept"], for: avif)
        let fresh = try #require(scene.refreshed(stored, by: ["Vary": "X"], for: avif))
        #expect(fresh.varyingNames == ["x"])
        #expect(fresh.matches(scene.request(["X": "1"])))
        #expect(!fresh.matches(scene.request(["Accept": "image/avif"])))
        // One that says Vary: * can answer nothing any more.
        #expect(scene.refreshed(stored, by: ["Vary": "*"], for: avif) == nil)
    }
}
