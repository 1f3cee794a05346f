import Foundation
import ServerSupport
import Testing
import WebImage
import WebImageTesting

/// `webimage prefetch` against a real server.
@Suite struct PrefetchCommandTests {
    private let command: BuiltCommand
    private let server: NginxServer
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        server = try NginxServer()
        folder = try ScratchFolder()
        for name in ["a", "b", "c"] { try picture.write(to: server.root.appending(path: "\(name).png")) }
    }

    private var picture: Data { get throws { try Pictures.encoded(64, 48, as: .png) } }
    private var cache: [String] { ["--cache-dir", folder.path("cache")] }
    private var urls: [String] { ["a.png", "b.png", "c.png"].map { server.url($0) } }

    @Test("C280 C282 C286: what was prefetched is loaded without the server")
    func thenOffline() async throws {
        let list = folder.path("list.txt")
        try Data(("# three\n\n" + urls.joined(separator: "\r\n") + "\n").utf8).write(to: URL(filePath: list))
        let outcome = try await command.run(["prefetch", list, "--concurrency", "2"] + cache)
        #expect(outcome.code == 0 && outcome.output == "loaded 3, failed 0 of 3\n" && outcome.notes.isEmpty)
        #expect(try server.stop().sorted() == ["/a.png", "/b.png", "/c.png"])
        let loaded = try await command.run(["load", "--offline", "--json"] + urls + cache)
        #expect(loaded.code == 0)
        #expect(try loaded.records(LoadLine.self).map(\.tier) == ["disk", "disk", "disk"])
    }

    @Test("C285 C286: failures are counted and told in sentences, and leave the others alone")
    func failures() async throws {
        let input = ([server.url("none.png"), "http://[", "example.org/a.png"] + urls).joined(separator: "\n")
        let plain = try await command.run(["prefetch", "-"] + cache, input: input)
        #expect(plain.code == 1 && plain.output == "loaded 3, failed 3 of 6\n")
        let notes = plain.notes.split(separator: "\n").map(String.init).sorted()
        #expect(notes.count == 3 && notes.allSatisfy { $0.hasPrefix("failed   ") })
        #expect(notes.contains { $0.hasPrefix("failed   \(server.url("none.png")): ") && $0.contains("404") })
        #expect(notes.contains { $0.hasSuffix("Did you mean https://example.org/a.png?") })
        let json = try await command.run(["prefetch", "-", "--json"] + cache, input: input)
        let lines = try json.records(PrefetchLine.self)
        #expect(json.code == 1 && lines.count == 7)
        #expect(lines.last?.loaded == 3 && lines.last?.failed == 3 && lines.last?.total == 6)
        #expect(lines.filter { $0.tier == "disk" }.compactMap(\.source).sorted() == urls)
        #expect(lines.filter { $0.error?.code == "httpStatus" }.map(\.source) == [server.url("none.png")])
    }

    @Test("bytes that begin like a picture pass, and --decode finds that they are none")
    func decode() async throws {
        try picture.prefix(picture.count / 2).write(to: server.root.appending(path: "a.png"))
        let bytes = try await command.run(["prefetch", "-"] + cache, input: urls[0])
        #expect(bytes.code == 0)
        let decoded = try await command.run(["prefetch", "-", "--decode", "--json"] + cache, input: urls[0])
        let lines = try decoded.records(PrefetchLine.self)
        #expect(decoded.code == 1 && lines.first?.error?.code == "truncated")
        let others = try await command.run(
            ["prefetch", "-", "--decode"] + cache, input: urls[1...].joined(separator: "\n"))
        #expect(others.code == 0 && others.output == "loaded 2, failed 0 of 2\n")
    }

    @Test("C286: what was loaded and may not be stored is told, and ends with 1", arguments: [[], ["--decode"]])
    func noStore(more: [String]) async throws {
        let origin = try OriginServer()
        let response = OriginResponse.file(Array(try picture), type: "image/png")
        origin.route("/secret.png", response.with("Cache-Control", "no-store"))
        origin.route("/plain.png", response.with("Cache-Control", "max-age=60"))
        let (secret, plain) = (origin.url("/secret.png").absoluteString, origin.url("/plain.png").absoluteString)
        let input = "\(secret)\n\(plain)\n\(Pictures.path("photograph.jpg"))"
        let told = try await command.run(["prefetch", "-"] + more + cache, input: input)
        #expect(told.code == 1 && told.output == "loaded 2, failed 0 of 3, not kept 1\n")
        #expect(told.notes.hasPrefix("loaded, not kept: \(secret): ") && told.notes.contains("no-store"))
        #expect(told.notes.split(separator: "\n").count == 1)
        let lines = try await command.run(["prefetch", "-", "--json"] + more + cache, input: input)
            .records(PrefetchLine.self)
        #expect(lines.filter { $0.whyNotKept != nil }.map(\.source) == [secret])
        #expect(lines.last?.loaded == 2 && lines.last?.notKept == 1 && lines.last?.failed == 0 && lines.count == 4)
        let again = try await command.run(["prefetch", "-"] + more + cache, input: plain)
        #expect(again.code == 0 && again.output == "loaded 1, failed 0 of 1\n" && again.notes.isEmpty)
    }

    @Test("C286: nothing is kept by a cache without a folder")
    func deadCache() async throws {
        try Data([1]).write(to: URL(filePath: folder.path("file")))
        let outcome = try await command.run(
            ["prefetch", "-", "--cache-dir", folder.path("file") + "/cache"], input: urls[0])
        #expect(outcome.code == 1 && outcome.output == "loaded 0, failed 0 of 1, not kept 1\n")
        let line = outcome.notes.split(separator: "\n").first { $0.hasPrefix("loaded, not kept: \(urls[0]): ") }
        #expect(line?.hasSuffix("Not a directory") == true || line?.hasSuffix("Not a directory.") == true)
    }

    #if os(Linux)
    @Test("C286: nor by one that has no room, and the reason is told")
    func fullCache() async throws {
        let large = try Pictures.bytes("photograph.jpg").withUnsafeBytes { Data($0) }
        try large.write(to: server.root.appending(path: "large.jpg"))
        // No file grows beyond half a megabyte, which is said to the program and does not end it.
        let small = ["sh", "-c", "trap '' XFSZ; ulimit -f 1000; exec \"$0\" \"$@\""]
        let input = "\(server.url("large.jpg"))\n\(urls[0])"
        let outcome = try await command.run(["prefetch", "-"] + cache, input: input, under: small)
        #expect(outcome.code == 1 && outcome.output == "loaded 1, failed 0 of 2, not kept 1\n")
        let line = outcome.notes.split(separator: "\n").first { $0.hasPrefix("loaded, not kept: ") }
        #expect(line?.contains("large.jpg: ") == true && line?.contains("File too large") == true)
    }
    #endif

    @Test("C284: a list that is not there or names nothing is wrong usage", arguments: ["-", "no such list"])
    func noList(list: String) async throws {
        let outcome = try await command.run(["prefetch", list] + cache, input: "# nothing\n\n")
        #expect(outcome.code == 2 && outcome.output.isEmpty && outcome.notes.contains("list"))
        #expect(try server.stop().isEmpty)
    }
}
