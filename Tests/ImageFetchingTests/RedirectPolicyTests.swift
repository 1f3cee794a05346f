import Foundation
import Testing

@testable import ImageFetching

@Suite struct RedirectPolicyTests {
    private let policy = RedirectPolicy(maxRedirects: 5)

    private func follow(
        _ location: String?, from: String = "https://a.test/dir/x.jpg?q=1", headers: HTTPHeaders = HTTPHeaders(),
        sensitive: Set<String> = [], before: [String] = []
    ) throws -> FetchRequest {
        let url = try #require(URL(string: from))
        var fields = HTTPHeaders()
        if let location { fields.append("Location", location) }
        let request = FetchRequest(url: url, headers: headers, sensitiveHeaders: sensitive)
        return try policy.follow(
            ResponseHead(status: 302, headers: fields, finalURL: url), from: request,
            visited: before.compactMap { URL(string: $0) } + [url])
    }

    @Test("Only the five statuses redirect a GET") func statuses() {
        #expect((200...599).filter(RedirectPolicy.isRedirect) == [301, 302, 303, 307, 308])
    }

    @Test(
        "F27: locations are resolved as RFC 3986 §5 says",
        arguments: [
            ("/y.jpg", "https://a.test/y.jpg"), ("y.jpg", "https://a.test/dir/y.jpg"),
            ("../y.jpg", "https://a.test/y.jpg"),
            ("?q=2", "https://a.test/dir/x.jpg?q=2"), ("//b.test/z", "https://b.test/z"),
            ("https://b.test:8443/z?k=v#f", "https://b.test:8443/z?k=v#f"),
            ("https://user:secret@b.test/z", "https://b.test/z"),
        ]) func resolves(_ location: String, _ expected: String) throws
    {
        #expect(try follow(location).url.absoluteString == expected)
    }

    @Test("The fragment stays unless there is another") func fragments() throws {
        #expect(try follow("/y", from: "http://a.test/x#top").url.absoluteString == "http://a.test/y#top")
        #expect(try follow("/y#end", from: "http://a.test/x#top").url.absoluteString == "http://a.test/y#end")
    }

    @Test(
        "F27: what is refused, and how",
        arguments: [
            (nil, FetchError.Code.protocolError), ("", .protocolError), ("http://a.test/", .insecureRedirect),
            ("file:///etc/passwd", .forbiddenRedirect), ("data:,x", .forbiddenRedirect),
            ("gopher://a.test/", .forbiddenRedirect),
            ("https:///nohost", .protocolError), ("https://a.test/dir/x.jpg?q=1#other", .redirectLoop),
            ("/" + String(repeating: "x", count: 10 << 10), .protocolError),
        ] as [(String?, FetchError.Code)]) func refuses(_ location: String?, _ code: FetchError.Code)
    {
        let error = #expect(throws: FetchError.self) { try follow(location) }
        #expect(error?.code == code)
        #expect(error?.message.contains("q=1") == false)
    }

    @Test("P15: five redirects are followed, the sixth is not") func maximum() throws {
        let visited = (0..<4).map { "https://a.test/\($0)" }
        #expect(try follow("/next", before: visited).url.path == "/next")
        let error = #expect(throws: FetchError.self) { try follow("/next", before: visited + ["https://a.test/4"]) }
        #expect(error?.code == .tooManyRedirects)
    }

    @Test(
        "P15: secrets stay with their origin: scheme, host and port",
        arguments: [
            ("https://a.test/y", true), ("https://A.test:443/y", true), ("https://b.test/y", false),
            ("https://a.test:444/y", false), ("https://sub.a.test/y", false),
        ]) func secrets(_ location: String, _ kept: Bool) throws
    {
        let secret: HTTPHeaders = ["Authorization": "a", "cookie": "b", "Proxy-Authorization": "c", "X-Key": "d"]
        var headers = secret
        headers.append("Accept", "image/*")
        let next = try follow(location, headers: headers, sensitive: ["x-KEY"])
        #expect(next.headers == (kept ? headers : ["Accept": "image/*"]))
    }

    @Test("P15: http to https drops secrets, because the origin is another") func upgrade() throws {
        let next = try follow("https://a.test/y", from: "http://a.test/x", headers: ["Authorization": "a"])
        #expect(next.headers.isEmpty)
    }
}
