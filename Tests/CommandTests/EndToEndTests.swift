import Foundation
import ServerSupport
import Testing
import WebImage

/// The built command against a real nginx, over a real socket and a real disk.
@Suite struct EndToEndTests {
    private let command: BuiltCommand
    private let server: NginxServer
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        server = try NginxServer()
        folder = try ScratchFolder()
        try Pictures.encoded(640, 480, as: .jpeg).write(to: server.root.appending(path: "photo.jpg"))
        try Pictures.encoded(64, 48, as: .png).write(to: server.root.appending(path: "icon.png"))
        try Data("<html><body>Sign in</body></html>".utf8).write(to: server.root.appending(path: "page.html"))
    }

    private var cache: [String] { ["--cache-dir", folder.path("cache")] }
    private var both: [String] { [server.url("photo.jpg"), server.url("icon.png")] }

    @Test("the first load asks the server, the second one only the disk")
    func loadTwice() async throws {
        let arguments = ["load"] + both + cache + ["--json", "--output", folder.path("out")]
        for tier in ["network", "disk"] {
            let outcome = try await command.run(arguments)
            #expect(outcome.code == 0, "\(outcome.notes)")
            let records = try outcome.records(LoadLine.self).sorted { $0.source > $1.source }
            #expect(records.map(\.source) == both)
            #expect(records.map(\.tier) == [tier, tier])
            #expect(records.map(\.format) == ["jpeg", "png"])
            #expect(records.map(\.width) == [640, 64] && records.map(\.height) == [480, 48])
            let served = try ["photo.jpg", "icon.png"].map {
                try Data(contentsOf: server.root.appending(path: $0)).count
            }
            #expect(records.map(\.bytes) == served)
            #expect(records.allSatisfy { ($0.timings?["total"] ?? -1) >= 0 && $0.error == nil })
        }
        let written = try folder.size(of: "out/photo.jpg")
        #expect(written == PixelSize(width: 640, height: 480))
        #expect(try folder.size(of: "out/icon.jpg") == PixelSize(width: 64, height: 48))
        #expect(try server.stop().sorted() == ["/icon.png", "/photo.jpg"])
    }

    @Test("a size makes a smaller picture of the same download, and the sheet is the last line")
    func sizeAndSheet() async throws {
        let small = try await command.run(
            ["load", both[0], "--size", "100x", "--output", folder.path("small.webp")] + cache + ["--json"])
        #expect(small.code == 0)
        #expect(try small.records(LoadLine.self).map(\.width) == [100])
        #expect(try folder.size(of: "small.webp") == PixelSize(width: 100, height: 75))

        let sheet = folder.path("sheet.png")
        let outcome = try await command.run(["load"] + both + cache + ["--contact-sheet", sheet])
        #expect(outcome.code == 0)
        #expect(outcome.output.split(separator: "\n").last.map(String.init) == sheet)
        #expect(try folder.size(of: "sheet.png") == PixelSize(width: 688, height: 272))
        #expect(try server.stop().sorted() == ["/icon.png", "/photo.jpg"])
    }

    @Test("a failure has code, stage and sentence, and leaves the others alone")
    func missing() async throws {
        let outcome = try await command.run(["load", server.url("none.jpg"), both[1], "--json"] + cache)
        #expect(outcome.code == 1)
        let records = try outcome.records(LoadLine.self).sorted { $0.source < $1.source }
        #expect(records.map(\.tier) == ["network", nil])
        let error = try #require(records.last?.error)
        #expect(error.code == "httpStatus" && error.stage == "fetch" && !error.retryable)
        #expect(error.message.contains("404"))
    }

    @Test("P31: a page under a picture's address fails and is not kept")
    func page() async throws {
        let outcome = try await command.run(["load", server.url("page.html"), "--json"] + cache)
        #expect(outcome.code == 1)
        #expect(try outcome.records(LoadLine.self).first?.error != nil)
        let statistics = try await command.run(["cache", "stats", "--json"] + cache)
        #expect(try statistics.records(CacheLine.self).map(\.entries) == [0])
    }

    @Test(
        "wrong usage ends with 2 and loads nothing",
        arguments: [["load"], ["load", "URL", "--nonsense"], ["load", "URL", "--quality", "0"], ["nonsense"]])
    func usage(arguments: [String]) async throws {
        let outcome = try await command.run(
            arguments.map { $0 == "URL" ? both[0] : $0 } + (arguments.count > 1 ? cache : []))
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty && !outcome.notes.isEmpty)
        #expect(try server.stop().isEmpty)
    }

    @Test("what is no source at all fails alone")
    func wrongSource() async throws {
        let outcome = try await command.run(
            ["load", folder.path("no such.png"), "ftp://127.0.0.1/a.png", "--json"] + cache)
        #expect(outcome.code == 1)
        let records = try outcome.records(LoadLine.self)
        #expect(records.count == 2 && records.allSatisfy { $0.error?.message.isEmpty == false })
    }

    @Test("a path is loaded from where it is")
    func local() async throws {
        let path = server.root.appending(path: "icon.png").path
        let outcome = try await command.run(["load", path, "--json"] + cache)
        #expect(outcome.code == 0)
        #expect(try outcome.records(LoadLine.self).map(\.tier) == ["local"])
        #expect(try server.stop().isEmpty)
    }

    @Test("- reads the list from standard input")
    func list() async throws {
        let input = "# two pictures\n\n" + both.joined(separator: "\n  ") + "\n"
        let outcome = try await command.run(["load", "-", "--json", "--concurrency", "2"] + cache, input: input)
        #expect(outcome.code == 0)
        #expect(try outcome.records(LoadLine.self).map(\.source).sorted() == both.sorted())
    }

    @Test("info tells what is in the header")
    func info() async throws {
        let outcome = try await command.run(["info"] + both + cache + ["--json"])
        #expect(outcome.code == 0)
        let records = try outcome.records(InfoLine.self)
        #expect(records.map(\.format) == ["jpeg", "png"])
        #expect(records.map(\.width) == [640, 64] && records.map(\.height) == [480, 48])
        #expect(records.map(\.orientation) == [1, 1] && records.map(\.frames) == [1, 1])
        #expect(records.map(\.hasAlpha) == [false, false])
        let missing = try await command.run(["info", server.url("none"), "--json"] + cache)
        #expect(missing.code == 1)
        #expect(try missing.records(InfoLine.self).first?.error?.code == "httpStatus")
    }

    @Test("the cache can be counted, listed and cleared")
    func cacheCommands() async throws {
        #expect(try await command.run(["load"] + both + cache).code == 0)
        let statistics = try await command.run(["cache", "stats", "--json"] + cache)
        let counted = try #require(try statistics.records(CacheLine.self).first)
        #expect(counted.directory == folder.path("cache") && counted.entries == 2)
        let list = try await command.run(["cache", "list", "--json"] + cache)
        let entries = try list.records(EntryLine.self).sorted { $0.url > $1.url }
        #expect(entries.map(\.url) == both)
        #expect(entries.map(\.mediaType) == ["image/jpeg", "image/png"])
        #expect(entries.map(\.bytes).reduce(0, +) <= counted.bytes ?? 0)
        let clear = try await command.run(["cache", "clear", "--json"] + cache)
        #expect(try clear.records(CacheLine.self).map(\.removedEntries) == [2])
        let after = try await command.run(["cache", "stats", "--json"] + cache)
        #expect(try after.records(CacheLine.self).map(\.entries) == [0])
        #expect([statistics, list, clear, after].allSatisfy { $0.code == 0 })
    }

    @Test("every codec library says its version and formats")
    func codecs() async throws {
        let outcome = try await command.run(["codecs", "--json"])
        #expect(outcome.code == 0)
        let records = try outcome.records(CodecLine.self)
        #expect(records.allSatisfy { !$0.library.isEmpty && !$0.version.isEmpty })
        #expect(Set(records.flatMap(\.reads)).isSuperset(of: ["jpeg", "png", "webp", "gif"]))
        let moving = CoderRegistry.standard.encoders.compactMap { $0 as? any AnimationEncoder }
            .flatMap(\.encodableAnimations)
        #expect(
            Set(records.flatMap(\.writes))
                == Set((CoderRegistry.standard.encodableFormats + moving).map(\.name)))
    }
}
