import Foundation
import Testing

@testable import ImageFetching

/// What a jar takes and gives back, by RFC 6265 and its revision.
@Suite struct CookieJarTests {
    /// Some moment.
    static let now: Int64 = 1_700_000_000

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// What a fresh jar sends to one address after another one set cookies.
    private func sent(
        _ lines: [String], from source: String, to target: String, after seconds: Int64 = 0
    ) throws -> String? {
        let jar = CookieJar()
        jar.store(lines, from: try url(source), now: Self.now)
        return jar.header(for: try url(target), now: Self.now + seconds)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let line: String
        let source: String
        let target: String
        let header: String?
        var testDescription: String { "\(line) from \(source) to \(target)" }

        init(_ line: String, _ source: String, _ target: String, _ header: String?) {
            (self.line, self.source, self.target, self.header) = (line, source, target, header)
        }
    }

    static let domains: [Case] = [
        Case("a=1", "http://x.org/", "http://x.org/", "a=1"),
        Case("a=1", "http://x.org/", "http://X.ORG./", "a=1"),
        Case("a=1", "http://x.org/", "http://x.org:8080/", "a=1"),
        Case("a=1", "http://x.org/", "http://w.x.org/", nil),
        Case("a=1; Domain=x.org", "http://x.org/", "http://w.x.org/", "a=1"),
        Case("a=1; Domain=.X.Org", "http://w.x.org/", "http://v.x.org/", "a=1"),
        Case("a=1; Domain=x.org", "http://w.x.org/", "http://yx.org/", nil),
        Case("a=1; Domain=w.x.org", "http://x.org/", "http://w.x.org/", nil),
        Case("a=1; Domain=y.org", "http://x.org/", "http://y.org/", nil),
        Case("a=1; Domain=org", "http://x.org/", "http://x.org/", nil),
        Case("a=1; Domain=", "http://x.org/", "http://x.org/", "a=1"),
        Case("a=1; Domain=y.org; Domain=x.org", "http://x.org/", "http://w.x.org/", "a=1"),
        Case("a=1; Domain=localhost", "http://localhost/", "http://localhost/", "a=1"),
        Case("a=1; Domain=localhost", "http://localhost/", "http://a.localhost/", nil),
        Case("a=1; Domain=0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", nil),
        Case("a=1; Domain=127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", "a=1"),
        Case("a=1; Domain=127.0.0.1", "http://127.0.0.1/", "http://5.127.0.0.1/", nil),
        Case("a=1; Domain=1", "http://127.1/", "http://127.1/", nil),
        Case("a=1", "http://[::1]/", "http://[::1]/", "a=1"),
        Case("a=1", "file:///x", "file:///x", nil),
    ]

    static let paths: [Case] = [
        Case("a=1", "http://x.org/i/a.png", "http://x.org/i/b.png", "a=1"),
        Case("a=1", "http://x.org/i/a.png", "http://x.org/i", "a=1"),
        Case("a=1", "http://x.org/i/a.png", "http://x.org/ij", nil),
        Case("a=1", "http://x.org/i/a.png", "http://x.org/", nil),
        Case("a=1", "http://x.org", "http://x.org/i", "a=1"),
        Case("a=1; Path=/", "http://x.org/i/a.png", "http://x.org/z", "a=1"),
        Case("a=1; Path=/i/", "http://x.org/", "http://x.org/i/a", "a=1"),
        Case("a=1; Path=/i/", "http://x.org/", "http://x.org/i", nil),
        Case("a=1; Path=i", "http://x.org/j/k", "http://x.org/j/", "a=1"),
        Case("a=1; Path=/I", "http://x.org/", "http://x.org/i", nil),
        Case("a=1; Path=/x; Path=", "http://x.org/j/k", "http://x.org/j/l", "a=1"),
    ]

    static let safety: [Case] = [
        Case("a=1; Secure", "https://x.org/", "https://x.org/", "a=1"),
        Case("a=1; Secure", "https://x.org/", "http://x.org/", nil),
        Case("a=1; Secure", "http://x.org/", "https://x.org/", nil),
        Case("a=1", "https://x.org/", "http://x.org/", "a=1"),
        Case("__Secure-a=1; Secure", "https://x.org/", "https://x.org/", "__Secure-a=1"),
        Case("__Secure-a=1", "https://x.org/", "https://x.org/", nil),
        Case("__secure-a=1", "https://x.org/", "https://x.org/", nil),
        Case("__Host-a=1; Secure; Path=/", "https://x.org/", "https://x.org/", "__Host-a=1"),
        Case("__Host-a=1; Secure", "https://x.org/", "https://x.org/", nil),
        Case("__Host-a=1; Path=/", "https://x.org/", "https://x.org/", nil),
        Case("__Host-a=1; Secure; Path=/; Domain=x.org", "https://x.org/", "https://x.org/", nil),
        Case("a=1; HttpOnly; SameSite=Strict; Later=2", "http://x.org/", "http://x.org/", "a=1"),
    ]

    static let forms: [Case] = [
        Case(" a = 1 2 ;", "http://x.org/", "http://x.org/", "a=1 2"),
        Case("a=\"1;2\"", "http://x.org/", "http://x.org/", "a=\"1"),
        Case("a=b=c", "http://x.org/", "http://x.org/", "a=b=c"),
        Case("a=", "http://x.org/", "http://x.org/", "a="),
        Case("a=1;;;SECURE", "https://x.org/", "http://x.org/", nil),
        Case("a", "http://x.org/", "http://x.org/", nil),
        Case("=1", "http://x.org/", "http://x.org/", nil),
        Case("", "http://x.org/", "http://x.org/", nil),
        Case("a=1\u{1}", "http://x.org/", "http://x.org/", nil),
        Case("a=1\r\nb: c", "http://x.org/", "http://x.org/", nil),
        Case("a=" + String(repeating: "x", count: 4_096), "http://x.org/", "http://x.org/", nil),
        Case("a=1; Path=/" + String(repeating: "x", count: 1_024), "http://x.org/", "http://x.org/", "a=1"),
    ]

    @Test("A cookie goes to the hosts it is for", arguments: domains)
    func sendsToHosts(_ given: Case) throws {
        #expect(try sent([given.line], from: given.source, to: given.target) == given.header)
    }

    @Test("A cookie goes to the paths it is for", arguments: paths)
    func sendsToPaths(_ given: Case) throws {
        #expect(try sent([given.line], from: given.source, to: given.target) == given.header)
    }

    @Test("A secure cookie neither comes nor goes without https", arguments: safety)
    func keepsSecure(_ given: Case) throws {
        #expect(try sent([given.line], from: given.source, to: given.target) == given.header)
    }

    @Test("Broken fields give no cookie, odd ones give theirs", arguments: forms)
    func readsForms(_ given: Case) throws {
        #expect(try sent([given.line], from: given.source, to: given.target) == given.header)
    }

    static let lives: [(line: String, seconds: Int64, isThere: Bool)] = [
        ("a=1", 4_000_000_000, true), ("a=1; Max-Age=10", 9, true), ("a=1; Max-Age=10", 10, false),
        ("a=1; Max-Age=0", 0, false), ("a=1; Max-Age=-5", 0, false), ("a=1; Max-Age=x", 99, true),
        ("a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 9, true),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=10", 9, true),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 0, false),
        ("a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT", 34_559_999, true),
        ("a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT", 34_560_000, false),
        ("a=1; Max-Age=99999999999999999999", 34_559_999, true),
        ("a=1; Max-Age=99999999999999999999", 34_560_000, false), ("a=1; Expires=soon", 9, true),
    ]

    @Test("A cookie lives as long as it is said to, Max-Age before Expires, 400 days at most", arguments: lives)
    func life(_ line: String, _ seconds: Int64, _ isThere: Bool) throws {
        let header = try sent([line], from: "http://x.org/", to: "http://x.org/", after: seconds)
        #expect(header == (isThere ? "a=1" : nil))
    }

    @Test("Longer paths are sent first, then older cookies; replacing keeps the age") func order() throws {
        let lines = ["a=1", "b=2; Path=/i", "c=3", "d=4; Path=/i/j", "a=5", "b=6; Path=/i"]
        #expect(try sent(lines, from: "http://x.org/", to: "http://x.org/i/j") == "d=4; b=6; a=5; c=3")
    }

    @Test("An expired cookie takes the one it replaces away") func removal() throws {
        let jar = CookieJar()
        let address = try url("http://x.org/")
        jar.store(["a=1", "b=2", "a=; Max-Age=0"], from: address, now: Self.now)
        #expect(jar.header(for: address, now: Self.now) == "b=2" && jar.count == 1)
        jar.removeAll()
        #expect(jar.header(for: address, now: Self.now) == nil && jar.count == 0)
    }

    @Test("Over http nobody replaces a secure cookie, for its host, one above or one below") func overwriting()
        throws
    {
        let jar = CookieJar()
        jar.store(["a=1; Secure; Domain=w.x.org"], from: try url("https://w.x.org/"), now: Self.now)
        for host in ["w.x.org", "v.w.x.org", "x.org"] {
            jar.store(["a=2", "a=3; Domain=x.org"], from: try url("http://\(host)/"), now: Self.now)
        }
        #expect(jar.header(for: try url("https://w.x.org/"), now: Self.now) == "a=1" && jar.count == 1)
        // Another name, another path, and a host beside it are free.
        jar.store(["b=2"], from: try url("http://w.x.org/"), now: Self.now)
        jar.store(["a=4"], from: try url("http://v.x.org/"), now: Self.now)
        #expect(jar.count == 3)
    }

    @Test("50 cookies a domain: what was not sent for longest goes") func domainLimit() throws {
        let jar = CookieJar()
        let address = try url("http://x.org/")
        for index in 0..<50 { jar.store(["c\(index)=1; Path=/\(index)"], from: address, now: Self.now) }
        #expect(jar.header(for: try url("http://x.org/0"), now: Self.now) == "c0=1")
        jar.store(["new=1"], from: address, now: Self.now)
        #expect(jar.count == 50)
        #expect(jar.header(for: try url("http://x.org/0"), now: Self.now) == "c0=1; new=1")
        #expect(jar.header(for: try url("http://x.org/1"), now: Self.now) == "new=1")
    }

    @Test("50 cookies a domain: what expired goes first") func expiredFirst() throws {
        let jar = CookieJar()
        let address = try url("http://x.org/")
        for index in 0..<50 {
            let life = index == 30 ? "; Max-Age=1" : ""
            jar.store(["c\(index)=1; Path=/\(index)\(life)"], from: address, now: Self.now)
        }
        jar.store(["new=1"], from: address, now: Self.now + 1)
        #expect(jar.count == 50)
        #expect(jar.header(for: try url("http://x.org/0"), now: Self.now + 1) == "c0=1; new=1")
    }

    @Test("3,000 cookies in all: what was not sent for longest goes") func totalLimit() throws {
        let jar = CookieJar()
        for index in 0..<3_000 {
            jar.store(["a=1"], from: try url("http://h\(index).org/"), now: Self.now)
        }
        #expect(jar.header(for: try url("http://h0.org/"), now: Self.now) == "a=1")
        jar.store(["a=1"], from: try url("http://new.org/"), now: Self.now)
        #expect(jar.count == 3_000)
        #expect(jar.header(for: try url("http://h0.org/"), now: Self.now) == "a=1")
        #expect(jar.header(for: try url("http://h1.org/"), now: Self.now) == nil)
        #expect(jar.header(for: try url("http://new.org/"), now: Self.now) == "a=1")
    }

    @Test("A response's fields are taken one by one, and a cookie's text hides its value") func head() throws {
        let jar = CookieJar()
        let address = try url("https://x.org/")
        var headers = HTTPHeaders()
        headers.append("set-cookie", "a=1; Secure; HttpOnly")
        headers.append("Set-Cookie", "b=2; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Domain=x.org")
        jar.store(ResponseHead(status: 200, headers: headers, finalURL: address), from: address, now: Self.now)
        let cookies = jar.cookies(for: address, now: Self.now)
        #expect(cookies.map(\.name) == ["a", "b"])
        #expect(cookies.first?.isSecure == true && cookies.first?.isHTTPOnly == true)
        #expect(cookies.first?.expires == nil && cookies.last?.isHostOnly == false)
        #expect(cookies.map(\.description) == ["a=… for x.org/", "b=… for *.x.org/"])
    }
}
