import Testing

@testable import ImageFetching

/// RFC 9111 §4.1.
@Suite struct VaryTests {
    let scene: CachingScene

    init() throws { scene = try CachingScene() }

    @Test(
        "RFC 9110 §12.5.5: the names in lower case, sorted, each once; none for a star",
        arguments: [
            ([:], []), (["Vary": ""], []), (["Vary": " , ,"], []), (["Vary": "Accept"], ["accept"]),
            (["Vary": "X-B , accept,ACCEPT\t,x-a"], ["accept", "x-a", "x-b"]),
            (["Vary": "Origin", "vary": "Accept, Origin"], ["accept", "origin"]), (["Vary": "*"], nil),
            (["Vary": "Accept,\t* "], nil), (["Vary": "Accept", "VARY": "*"], nil), (["Vary": "**"], ["**"]),
        ] as [(HTTPHeaders, [String]?)])
    func names(_ headers: HTTPHeaders, _ names: [String]?) {
        #expect(HTTPCaching.variantFields(headers) == names)
    }

    @Test(
        "RFC 9111 §4.1 P47: a response answers requests that say the same in the fields that it names",
        arguments: [
            ("", ["Accept": "a"], ["Accept": "b"], true), ("Accept", ["Accept": "a"], ["accept": "a"], true),
            ("Accept", ["Accept": "a"], ["Accept": "b"], false), ("Accept", ["Accept": "a"], ["Accept": "A"], false),
            ("Accept", ["Accept": "a"], [:], false), ("Accept", [:], ["Accept": "a"], false),
            ("Accept", [:], [:], true), ("Accept", [:], ["Accept": ""], false),
            ("Accept", ["Accept": "a, b"], ["Accept": "a\t,b"], true),
            ("Accept", ["Accept": "a, b"], ["Accept": "a", "accept": "b"], true),
            ("Accept", ["Accept": "a, b"], ["Accept": "b, a"], false),
            ("Accept", ["Accept": "a b"], ["Accept": "ab"], false),
            ("Accept", ["Accept": "a", "X": "1"], ["Accept": "a", "X": "2"], true),
            ("Accept, X", ["Accept": "a", "X": "1"], ["Accept": "a", "X": "2"], false),
            ("Accept, X", ["Accept": "a", "X": "1"], ["X": "1", "Accept": "a"], true),
        ] as [(String, HTTPHeaders, HTTPHeaders, Bool)])
    func matching(_ vary: String, _ first: HTTPHeaders, _ second: HTTPHeaders, _ isSame: Bool) throws {
        let stored = try scene.stored(["Vary": vary, "Cache-Control": "max-age=60"], for: scene.request(first))
        #expect(stored.matches(scene.request(first)))
        #expect(stored.matches(scene.request(second)) == isSame)
        let decision = scene.decide(stored, second, after: 0)
        #expect(decision.action == (isSame ? .serve : .fetch))
        #expect(decision.reason == (isSame ? .fresh(for: 60) : .otherVariant))
        #expect(decision.validators.isEmpty)
        let again = try #require(StoredResponse(fields: stored.fields))
        #expect(again.matches(scene.request(second)) == isSame)
    }

    @Test("What the request said is kept as something that can only be compared")
    func secret() throws {
        let stored = try scene.stored(
            ["Vary": "Authorization"], for: scene.request(["Authorization": "Bearer canary"]))
        #expect(stored.varyingValues.keys.sorted() == ["authorization"])
        #expect(!"\(stored.fields)".contains("canary"))
    }
}
