import ArgumentParser
import Foundation
import Testing
import WebImage

@testable import WebImageCommand

@Suite struct ArgumentTests {
    @Test(
        "sizes that make sense are read",
        arguments: [("400x300", 400, 300), ("400x", 400, nil), ("x300", nil, 300), ("1X1", 1, 1)]
            as [(String, Int?, Int?)])
    func size(text: String, width: Int?, height: Int?) throws {
        let size = try #require(SizeArgument(argument: text))
        #expect(size.width == width && size.height == height)
    }

    @Test(
        "P39: sizes that make none are refused",
        arguments: ["", "x", "0x10", "-1x5", "10", "axb", "10x20x30", "65536x1", "1e3x2", "99999999999999999999x1"])
    func badSize(text: String) {
        #expect(SizeArgument(argument: text) == nil)
    }

    @Test(
        "wrong usage is refused before anything is loaded",
        arguments: [
            ["load"], ["load", "a.png", "--quality", "0"], ["load", "a.png", "--concurrency", "0"],
            ["load", "a.png", "--fit", "stretch"], ["load", "a.png", "--format", "gif"], ["unknown"],
            ["load", "a.png", "--format", "png"], ["load", "a.png", "--fresh", "--offline"],
            ["load", "a.png", "--retry", "-1"], ["load", "a.png", "--header", "no colon"], ["prefetch"],
        ])
    func usage(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { _ = try WebImageCommand.parseAsRoot(arguments) }
        #expect(error.map { WebImageCommand.exitCode(for: $0) } == .validationFailure)
    }

    @Test("a source is a URL when it has a scheme, else a path")
    func sources() {
        #expect(Source("https://example.org/a.jpg").url?.scheme == "https")
        #expect(Source("data:image/png;base64,AAAA").url?.scheme == "data")
        #expect(Source("pictures/a b.jpg").url?.isFileURL == true)
        #expect(Source("https://example.org/x/photo.tar.jpg").name == "photo.tar")
        #expect(Source("https://example.org/").name == "example.org")
    }

    @Test("- reads a list; empty lines and comments are passed over")
    func list() throws {
        var lines = ["https://a/1.png", "", "  # a comment", " b.png "][...]
        let sources = try Source.list(["x.jpg", "-"]) { lines.popFirst() }
        #expect(sources.map(\.text) == ["x.jpg", "https://a/1.png", "b.png"])
    }

    @Test(
        "F48: a header that may not be sent is wrong usage",
        arguments: ["", "X", ": value", "X:", "X: ", "X Y: 1", " X: 1", "X: 1\r\nY: 2", "X: \u{0}", "Ü: 1"])
    func badHeader(text: String) { #expect(HeaderArgument(argument: text) == nil) }

    @Test("headers are sent in their order, and count as secrets")
    func headers() throws {
        let arguments = ["a.png", "--header", "X-Key: a:b", "--header", "Accept-Language:de ", "--header", "x-key: c"]
        let command = try LoadCommand.parse(arguments)
        let url = try #require(URL(string: "https://example.org/a.png"))
        let request = command.fetching.request(url, rule: .cacheOnly)
        #expect(request.headers.map(\.name) == ["X-Key", "Accept-Language", "x-key"])
        #expect(request.headers.map(\.value) == ["a:b", "de", "c"])
        #expect(request.options.sensitiveHeaders == ["X-Key", "Accept-Language", "x-key"])
        #expect(request.caching.rule == .cacheOnly)
    }

    @Test(
        "a path that looks like an address is taken for one that lost its scheme",
        arguments: ["example.com/a.jpg", "www.example.co.uk/x/y?z=1", "example.com:8080/a.jpg", "bücher.de/a.png"])
    func likelyAddress(text: String) { #expect(Source(text).likelyAddress == "https://\(text)") }

    @Test(
        "so is one of this machine, and one that lost a slash",
        arguments: [
            ("localhost:8080/a.png", "http://localhost:8080/a.png"), ("localhost/a.png", "http://localhost/a.png"),
            ("127.0.0.1/a.png", "http://127.0.0.1/a.png"), ("10.0.0.255:80/", "http://10.0.0.255:80/"),
            ("http:/x", "http://x"), ("HTTPS:/example.com/a.png", "https://example.com/a.png"),
            ("http:example.com/a.png", "http://example.com/a.png"),
        ])
    func likelyAddressHere(text: String, address: String) { #expect(Source(text).likelyAddress == address) }

    @Test(
        "other sources are not",
        arguments: [
            "a.jpg", "pictures/a.jpg", "./example.com/a.jpg", "/example.com/a.jpg", "../a.b/c", "..", "v1.2/a.jpg",
            "a..com/b", "example.com:x/a.jpg", "https://example.com/a.jpg", ".hidden/a.jpg", "data:,",
            "127.0.0/a.png", "1.2.3.256/a.png", "1.2.3.+4/a.png", "localhost:x/a.png", "localhost", "http:", "http:/",
        ])
    func unlikelyAddress(text: String) { #expect(Source(text).likelyAddress == nil) }
}
