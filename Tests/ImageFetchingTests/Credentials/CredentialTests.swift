import Foundation
import ImageFetching
import Testing

@Suite struct CredentialTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("C162: a name and a password are sent as RFC 7617 says") func basic() throws {
        // The RFC's own examples, §2 and §2.1.
        let aladdin = try Credential.basic(user: "Aladdin", password: "open sesame")
        #expect(aladdin.authorization == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(try Credential.basic(user: "test", password: "123\u{A3}").authorization == "Basic dGVzdDoxMjPCow==")
        #expect(try Credential.basic(user: "", password: "a:b").authorization == "Basic OmE6Yg==")
    }

    @Test("A token is sent as RFC 6750 says") func bearer() throws {
        #expect(try Credential.bearer("mF_9.B5f-4.1JqM").authorization == "Bearer mF_9.B5f-4.1JqM")
        #expect(try Credential.bearer("a+/~==").authorization == "Bearer a+/~==")
    }

    @Test("F32: what could break out of the field is refused") func refusals() {
        for token in ["", "=", "a b", "a\r\nX: y", "a=b", "ä", "a\u{0}"] {
            #expect(throws: FetchError.self) { try Credential.bearer(token) }
        }
        for (user, password) in [("a:b", "c"), ("a\n", "c"), ("a", "c\u{7F}"), ("a", "\u{0}")] {
            let error = #expect(throws: FetchError.self) { try Credential.basic(user: user, password: password) }
            #expect(error?.code == .invalidHeader)
        }
    }

    @Test("No way of printing shows the secret") func printing() throws {
        let basic = try Credential.basic(user: "anna", password: "sesame")
        let token = try Credential.bearer("s3cr3t")
        var store = CredentialStore()
        store.set(basic, forHost: "x.org")
        store.set(token, forOriginOf: try url("https://y.org"))
        for value in [basic, token, store, Optional(basic) as Any, [token], ["k": store]] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), String(describing: value), dumped] {
                for secret in ["anna", "sesame", "s3cr3t", "YW5uYT"] { #expect(!text.contains(secret)) }
            }
        }
        #expect("\(basic) \(token) \(store)" == "Basic … Bearer … 2 credentials")
    }

    static let addresses: [(address: String, token: String?)] = [
        ("https://x.org/a", "host"), ("https://X.ORG:8443/", "host"), ("http://x.org/", nil),
        ("https://w.x.org/", nil), ("https://x.org.evil.net/", nil), ("https://y.org/", nil),
        ("https://x.org@y.org/", nil), ("https://u:p@x.org/", nil), ("https://x.org:9443/", "origin"),
        ("http://z.org/", "plain"), ("https://z.org/", "plain"), ("http://o.org:8080/b?c", "clear"),
        ("http://o.org/", nil), ("https://o.org:8080/", nil), ("https://o.org/", "default"),
        ("https://o.org:443/", "default"), ("file:///x.org", nil), ("https://[::1]:5/", "six"),
    ]

    @Test("C148: a credential goes to its own server alone", arguments: addresses)
    func matching(_ address: String, _ token: String?) throws {
        var store = CredentialStore()
        #expect(store.isEmpty)
        store.set(try .bearer("host"), forHost: "X.org")
        store.set(try .bearer("origin"), forOriginOf: try url("https://x.org:9443/any"))
        store.set(try .bearer("plain"), forHost: "z.org", allowsPlainHTTP: true)
        store.set(try .bearer("clear"), forOriginOf: try url("http://o.org:8080"))
        store.set(try .bearer("default"), forOriginOf: try url("https://o.org"))
        store.set(try .bearer("six"), forHost: "::1")
        #expect(store.authorization(for: try url(address)) == token.map { "Bearer \($0)" })
        #expect((store.fingerprint(for: try url(address)) == nil) == (token == nil))
    }

    @Test("A rule can be taken back") func removal() throws {
        var store = CredentialStore()
        store.set(try .bearer("a"), forHost: "x.org")
        store.set(try .bearer("b"), forOriginOf: try url("https://x.org"))
        store.set(nil, forOriginOf: try url("https://x.org:443"))
        #expect(store.authorization(for: try url("https://x.org/")) == "Bearer a")
        store.set(nil, forHost: "X.ORG")
        #expect(store.isEmpty && store == CredentialStore())
    }

    @Test("Credentials are told apart by a fingerprint that is the same in every process") func fingerprints()
        throws
    {
        func fingerprint(_ credential: Credential) throws -> String? {
            var store = CredentialStore()
            store.set(credential, forHost: "x.org")
            return store.fingerprint(for: try url("https://x.org/"))
        }
        // printf 'Bearer abc' | sha256sum
        #expect(try fingerprint(.bearer("abc")) == "c355dce96c1612880d11940ffdd9014d386c253e0c3652a6cd06a7226f7bd2b6")
        let all = try [
            fingerprint(.bearer("abc")), fingerprint(.bearer("abd")), fingerprint(.basic(user: "a", password: "bc")),
            fingerprint(.basic(user: "ab", password: "c")),
        ]
        #expect(Set(all).count == 4)
    }
}
