import Foundation
import Testing
import WebImage
import WebImageTesting

/// What stays of an address when its identity is asked for.
@Suite struct CacheKeyFilterTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let filter: CacheKeyFilter
        let address: String
        let identity: String
        var testDescription: String { address }

        init(_ filter: CacheKeyFilter, _ address: String, _ identity: String) {
            (self.filter, self.address, self.identity) = (filter, address, identity)
        }
    }

    static let plain: [Case] = [
        Case(.none, "https://x.org/a.png?b=1&b=1#c", "https://x.org/a.png?b=1&b=1"),
        Case(.none, "https://x.org/a.png?", "https://x.org/a.png?"),
        Case(.none, "https://u:p@x.org:8080/%61?%62=%63&&d", "https://u:p@x.org:8080/%61?%62=%63&&d"),
        Case(.withoutQuery, "https://x.org/a.png?b=1#c", "https://x.org/a.png"),
        Case(.withoutQuery, "https://x.org/a.png", "https://x.org/a.png"),
        Case(.dropping(queryItems: ["t"]), "https://x.org/a?t=1&w=2&t&T=3", "https://x.org/a?w=2&T=3"),
        Case(.dropping(queryItems: ["t"]), "https://x.org/a?t=1#t=2", "https://x.org/a"),
        Case(.dropping(queryItems: ["t"]), "https://x.org/a?w=t=1&z=%26t=2", "https://x.org/a?w=t=1&z=%26t=2"),
        Case(.dropping(queryItems: ["t"]), "https://x.org/a?", "https://x.org/a?"),
        Case(.dropping(queryItems: ["t"]), "https://x.org/t=1/a?u=/?t=1", "https://x.org/t=1/a?u=/?t=1"),
        Case(.keeping(queryItems: ["w", "h"]), "https://x.org/a?h=1&t=2&w=3&h=%20+", "https://x.org/a?h=1&w=3&h=%20+"),
        Case(.keeping(queryItems: ["w"]), "https://x.org/a?t=2", "https://x.org/a"),
        Case(.custom(name: "host") { $0.host ?? "" }, "https://x.org/a?t=2", "x.org"),
    ]

    static let signed: [Case] = [
        Case(
            .amazonS3,
            "https://b.s3.amazonaws.com/cat%20one.jpg?versionId=3&X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AK%2F20260101%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20260101T000000Z"
                + "&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Security-Token=t%2B&x-id=GetObject"
                + "&response-content-type=image%2Fpng&X-Amz-Signature=ab",
            "https://b.s3.amazonaws.com/cat%20one.jpg?versionId=3&x-id=GetObject&response-content-type=image%2Fpng"),
        Case(
            .amazonS3, "https://b.s3.amazonaws.com/a.jpg?AWSAccessKeyId=AK&Expires=1&Signature=vj%3D",
            "https://b.s3.amazonaws.com/a.jpg"),
        Case(.amazonS3, "https://x.org/a.jpg?Expires=1&Signature=2", "https://x.org/a.jpg?Expires=1&Signature=2"),
        Case(
            .cloudFront, "https://d1.cloudfront.net/a.jpg?size=2&Expires=1&Signature=s~&Key-Pair-Id=K",
            "https://d1.cloudfront.net/a.jpg?size=2"),
        Case(
            .cloudFront,
            "https://d1.cloudfront.net/a.jpg?Policy=p__&Signature=s&Key-Pair-Id=K&Hash-Algorithm=SHA256",
            "https://d1.cloudfront.net/a.jpg"),
        Case(.cloudFront, "https://x.org/a?Policy=p&Expires=1", "https://x.org/a?Policy=p&Expires=1"),
        Case(
            .googleCloudStorage,
            "https://storage.googleapis.com/b/a.jpg?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=c&generation=7"
                + "&X-Goog-Date=d&X-Goog-Expires=900&X-Goog-SignedHeaders=host&X-Goog-Signature=s",
            "https://storage.googleapis.com/b/a.jpg?generation=7"),
        Case(
            .googleCloudStorage, "https://storage.googleapis.com/b/a.jpg?GoogleAccessId=g&Expires=1&Signature=s",
            "https://storage.googleapis.com/b/a.jpg"),
        Case(
            .googleCloudStorage, "https://b.s3.amazonaws.com/a.jpg?AWSAccessKeyId=AK&Expires=1&Signature=s",
            "https://b.s3.amazonaws.com/a.jpg?AWSAccessKeyId=AK&Expires=1&Signature=s"),
    ]

    @Test("C181: a filter makes the key of an address", arguments: plain)
    func cuts(_ given: Case) throws {
        #expect(given.filter.identity(of: try #require(URL(string: given.address))) == given.identity)
    }

    @Test("C181: the signatures of storage services are left out, and nothing else", arguments: signed)
    func unsigns(_ given: Case) throws {
        let url = try #require(URL(string: given.address))
        #expect(given.filter.identity(of: url) == given.identity)
        #expect(CacheKeyFilter.none.identity(of: url) == given.address)
        if given.identity != given.address { #expect(CacheKeyFilter.presigned.identity(of: url) == given.identity) }
    }

    @Test("C012: without a filter the address itself is the key") func whole() throws {
        let text = "https://x.org/%C3%A4?b=%2F&a=+"
        #expect(CacheKeyFilter.none.identity(of: try #require(URL(string: text))) == text)
    }

    @Test("Filters are equal when they do the same") func equality() {
        #expect(CacheKeyFilter.dropping(queryItems: ["a", "b"]) == .dropping(queryItems: ["b", "a"]))
        #expect(CacheKeyFilter.dropping(queryItems: ["a"]) != .keeping(queryItems: ["a"]))
        #expect(CacheKeyFilter.amazonS3 != .presigned && CacheKeyFilter.amazonS3 == .amazonS3)
        let custom = CacheKeyFilter.custom(name: "a") { _ in "1" }
        #expect(custom == .custom(name: "a") { _ in "2" } && custom != .custom(name: "b") { _ in "1" })
        #expect(Set([custom, .custom(name: "a") { _ in "2" }]).count == 1)
    }

    @Test("Two addresses are one exactly when they differ in the named items alone") func property() throws {
        var random = SeededGenerator(seed: 16)
        let named = ["t", "sig"]
        let filter = CacheKeyFilter.dropping(queryItems: Set(named))
        var seen: [String: [String]] = [:]
        for _ in 0..<20_000 {
            // What must count, and between it what must not.
            let count = Int.random(in: 0...2, using: &random)
            let wanted = (0..<count).map { _ in
                ["a=1", "a", "T=1", "", "%74=1", "b=t=1", "tt=&"].randomElement(using: &random) ?? ""
            }
            let path = ["/", "/t=1", "/a"].randomElement(using: &random) ?? ""
            var items = wanted
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let noise = ["t=1", "t", "sig=", "t=%26a=1", "sig=a=2"].randomElement(using: &random) ?? ""
                items.insert(noise, at: Int.random(in: 0...items.count, using: &random))
            }
            let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
            let url = try #require(URL(string: "https://x.org\(path)\(query)#\(Int.random(in: 0...9, using: &random))"))
            let truth =
                [path] + wanted.flatMap { $0.split(separator: "&", omittingEmptySubsequences: false).map(String.init) }
            let identity = filter.identity(of: url)
            if let other = seen[identity] { #expect(other == truth, "\(url)") }
            seen[identity] = truth
        }
        #expect(Set(seen.values).count == seen.count && seen.count > 100)
    }
}
