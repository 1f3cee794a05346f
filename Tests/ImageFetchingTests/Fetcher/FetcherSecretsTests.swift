import Foundation
import ImageFetching
import Testing
import WebImageTesting

/// Cookies and credentials on their way through a fetcher.
@Suite struct FetcherSecretsTests {
    let origin: OriginServer

    init() throws { origin = try OriginServer() }

    private func fetcher(_ credentials: CredentialStore = CredentialStore(), cookies: CookieJar? = nil) -> Fetcher {
        Fetcher(
            configuration: .init(credentials: credentials, limits: .patient()),
            transports: [CurlTransport(configuration: .init(proxy: .none))], cookies: cookies)
    }

    @Test("C032: cookies come back with a jar, also the one that a redirect set; without a jar there are none")
    func cookies() async throws {
        origin.route("/login", OriginResponse.redirect(to: "/a").with("Set-Cookie", "session=1"))
        origin.route("/a", OriginResponse.file([1]).with("Set-Cookie", "seen=2"))
        let jar = CookieJar()
        for fetcher in [fetcher(cookies: jar), fetcher()] {
            for path in ["/login", "/a"] { _ = try await fetcher.fetch(FetchRequest(url: origin.url(path))) }
        }
        let sent = origin.record.requests.map { $0["Cookie"] }
        #expect(sent == [nil, "session=1", "session=1; seen=2", nil, nil, nil])
        #expect(jar.count == 2)
        let own = FetchRequest(url: origin.url("/a"), headers: ["Cookie": "mine=3"])
        _ = try await fetcher(cookies: jar).fetch(own)
        #expect(origin.record.requests.last?["Cookie"] == "mine=3")
    }

    @Test("C175 C148: credentials are sent without being asked for, to their server alone, also over a redirect")
    func credentials() async throws {
        let other = try OriginServer()
        other.route("/b", .file([1]))
        origin.route("/a", .redirect(to: other.url("/b").absoluteString))
        origin.route("/c", .status(401))
        var store = CredentialStore()
        store.set(try .bearer("ours"), forOriginOf: origin.url("/"))
        let fetcher = fetcher(store)
        _ = try await fetcher.fetch(FetchRequest(url: origin.url("/a")))
        #expect(origin.record.requests.map { $0["Authorization"] } == ["Bearer ours"])
        #expect(other.record.requests.map { $0["Authorization"] } == [nil])
        // A refusal is final: nobody tries the same again.
        let error = await #expect(throws: FetchError.self) {
            try await fetcher.fetch(FetchRequest(url: origin.url("/c")))
        }
        #expect(error?.statusCode == 401 && origin.record.paths == ["/a", "/c"])
    }
}
