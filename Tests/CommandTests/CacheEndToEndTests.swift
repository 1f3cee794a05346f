import Foundation
import ServerSupport
import Testing
import WebImage

/// `webimage cache …` on a cache that the command itself has filled from a real server.
@Suite struct CacheEndToEndTests {
    private let command: BuiltCommand
    private let server: NginxServer
    private let folder: ScratchFolder
    private let names = ["small.png", "middle.png", "large.jpg"]

    init() async throws {
        command = try BuiltCommand()
        server = try NginxServer()
        folder = try ScratchFolder()
        try Pictures.encoded(16, 16, as: .png).write(to: server.root.appending(path: "small.png"))
        try Pictures.encoded(200, 100, as: .png).write(to: server.root.appending(path: "middle.png"))
        try Pictures.encoded(640, 480, as: .jpeg).write(to: server.root.appending(path: "large.jpg"))
        let filled = try await command.run(["load"] + urls + cache)
        try #require(filled.code == 0, "\(filled.notes)")
    }

    private var cache: [String] { ["--cache-dir", folder.path("cache")] }
    private var urls: [String] { names.map { server.url($0) } }

    private func run(_ arguments: String...) async throws -> BuiltCommand.Outcome {
        try await command.run(["cache"] + arguments + cache)
    }

    private func listed() async throws -> [EntryLine] { try await run("list", "--json").records() }

    /// The files of all entries, by their addresses.
    private func files() async throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try await listed().map { ($0.url, $0.file) })
    }

    private func path(of file: String) -> String { folder.path("cache/v1/\(file.prefix(2))/\(file)") }

    private func changeTime(of file: String, daysAgo: Double) throws {
        let time = Date(timeIntervalSinceNow: -daysAgo * 86_400)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path(of: file))
    }

    private func flipByte(_ index: Int, of file: String) throws {
        var data = try Data(contentsOf: URL(filePath: path(of: file)))
        data[index] ^= 0x10
        try data.write(to: URL(filePath: path(of: file)))
    }

    @Test("W030: list sorts by size, by age and by last use, and ends at the limit")
    func list() async throws {
        let bySize = try await run("list", "--sort", "size", "--json").records(EntryLine.self)
        #expect(bySize.map(\.bytes) == bySize.map(\.bytes).sorted(by: >) && bySize.count == 3)
        let two = try await run("list", "--sort", "size", "--limit", "2", "--json").records(EntryLine.self)
        #expect(two.map(\.file) == bySize.prefix(2).map(\.file))
        let files = try await files()
        for (index, url) in urls.enumerated() {
            try changeTime(of: try #require(files[url]), daysAgo: [2, 3, 1][index])
        }
        let byUse = try await run("list", "--sort", "used", "--json").records(EntryLine.self)
        #expect(byUse.map(\.url) == [urls[1], urls[0], urls[2]])
        let byAge = try await run("list", "--sort", "age", "--json").records(EntryLine.self)
        #expect(byAge.map(\.storedAt) == byAge.map(\.storedAt).sorted())
        #expect(try await run("list", "--limit", "1", "--json").records(EntryLine.self).count == 1)
        let table = try await run("list", "--sort", "used")
        let lines = table.output.split(separator: "\n")
        #expect(lines.first.map { $0.split(separator: " ") } == ["BYTES", "AGE", "USED", "TYPE", "URL"])
        #expect(lines.count == 4 && lines[1].contains(" 3d ") && lines[1].hasSuffix(urls[1]))
        #expect(table.code == 0 && table.notes.isEmpty)
    }

    @Test("W029: show finds an entry by its URL and by its file's name, and says all of it")
    func show() async throws {
        let url = urls[2]
        let file = try #require(try await files()[url])
        for name in [url, file, String(file.prefix(8)), file.uppercased()] {
            let outcome = try await run("show", name, "--json")
            #expect(outcome.code == 0)
            let records = try outcome.records(ShownEntry.self)
            let record = try #require(records.first)
            #expect(records.count == 1 && record.file == file && record.path == path(of: file))
            #expect(record.url == url && record.key.hasPrefix("sha256/1("))
            #expect(record.bytes == (try Data(contentsOf: server.root.appending(path: names[2]))).count)
            #expect(record.fileBytes == (try Data(contentsOf: URL(filePath: path(of: file)))).count)
            #expect(record.metadata["content-type"] == "image/jpeg" && record.metadata["url"] == url)
            #expect(record.lastUsed >= record.storedAt - 1)
        }
        let human = try await run("show", url)
        let lines = human.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.contains(["url", url]) && lines.contains(["content-type", "image/jpeg"]))
        let missing = try await run("show", server.url("none.png"))
        #expect(missing.code == 1 && missing.output.isEmpty)
        #expect(missing.notes == "webimage: nothing is kept for \(server.url("none.png"))\n")
        let senseless = try await run("show", "what?")
        #expect(senseless.code == 2 && senseless.notes.contains("neither an address"))
    }

    @Test("C087: show names what a program has attached, and how large it is")
    func attachments() async throws {
        let disk = DiskCache(DiskCache.Configuration(directory: folder.path("cache")))
        let pipeline = ImagePipeline(configuration: .init(memoryCache: nil, diskCache: disk))
        let request = ImageRequest(url: try #require(URL(string: urls[0])))
        #expect(try pipeline.setAttachment([1, 2, 3], named: "thumbhash", of: request))
        let records = try await run("show", urls[0], "--json").records(ShownEntry.self)
        #expect(records.map(\.attachments) == [["thumbhash": 3]])
        #expect(try await run("show", urls[0]).output.contains("\nattachments\n  thumbhash"))
        #expect(try await run("verify").code == 0)
    }

    @Test("remove takes URLs and nothing else, and says what was not there")
    func remove() async throws {
        let outcome = try await run("remove", urls[0], server.url("none.png"), "--json")
        #expect(outcome.code == 1)
        let record = try #require(try outcome.records(RemovedLine.self).first)
        #expect(record.removedEntries == 1 && record.freedBytes == 4_096)
        #expect(record.missing == [server.url("none.png")])
        #expect(Set(try await listed().map(\.url)) == Set(urls.dropFirst()))
        let second = try await run("remove", urls[1])
        #expect(second.code == 0 && second.notes.isEmpty && second.output.contains("1 picture removed, "))
        #expect(try await listed().map(\.url) == [urls[2]])
        let statistics = try await run("stats", "--json").records(CacheLine.self)
        #expect(statistics.map(\.entries) == [1])
    }

    @Test("remove by host takes all of the host and nothing of others")
    func removeHost() async throws {
        #expect(try await run("remove", "--host", "example.org").code == 1)
        #expect(try await run("remove", "--host", "127.0.0.1").code == 0)
        #expect(try await listed().isEmpty)
    }

    @Test("an address with a query is not mistaken for the same address with another one")
    func removeQuery() async throws {
        let queries = ["?a=1", "?a=2"].map { server.url("small.png") + $0 }
        #expect(try await command.run(["load"] + queries + cache).code == 0)
        #expect(try await listed().count == 5)
        #expect(try await run("remove", queries[0]).code == 0)
        #expect(try await listed().count == 4)
        #expect(try await run("remove", queries[0]).code == 1)
        #expect(try await run("remove", server.url("small.png")).code == 0)
        #expect(try await run("remove", queries[1]).code == 0)
        #expect(try await listed().count == 2)
    }

    @Test("an address with a query is found whatever it was asked with, and neither it nor a header is written down")
    func queryWithHeaders() async throws {
        let url = server.url("small.png") + "?token=s3cret&x=1"
        let fields = ["--header", "X-Client: one", "--header", "Accept-Language: fr"]
        #expect(try await command.run(["load", url] + fields + cache).code == 0)
        #expect(try await command.run(["load", url] + cache).code == 0)
        #expect(try await run("show", url, "--json").records(ShownEntry.self).count == 2)
        #expect(try await run("show", server.url("small.png") + "?token=s3cret", "--json").code == 1)
        for file in try await listed().map(\.file) {
            let bytes = try Data(contentsOf: URL(filePath: path(of: file)))
            #expect(bytes.range(of: Data("s3cret".utf8)) == nil)
        }
        #expect(try await run("remove", url, "--json").records(RemovedLine.self).first?.removedEntries == 2)
        #expect(Set(try await listed().map(\.url)) == Set(urls))
    }

    @Test("a picture under a signed address is found by any signature of it")
    func signedAddress() async throws {
        let disk = DiskCache(DiskCache.Configuration(directory: folder.path("cache")))
        let pipeline = ImagePipeline(configuration: .init(memoryCache: nil, diskCache: disk))
        let signed = (1...2).map { server.url("small.png") + "?v=3&Key-Pair-Id=k&Signature=s\($0)&Expires=\($0)" }
        var options = RequestOptions()
        options.keyFilter = .cloudFront
        let url = try #require(URL(string: signed[0]))
        _ = try await pipeline.response(for: ImageRequest(url: url, options: options))
        await pipeline.finishWrites()
        #expect(try await run("show", signed[1], "--json").records(ShownEntry.self).count == 1)
        #expect(try await run("remove", signed[1]).code == 0)
        #expect(try await run("show", signed[0]).code == 1)
    }

    @Test("S124: a namespace has its own pictures, and clearing it leaves all others")
    func namespaces() async throws {
        let names = [["--namespace", "one"], ["--namespace", "a/../b"]]
        for name in names { #expect(try await command.run(["load", urls[0]] + cache + name).code == 0) }
        for name in names {
            let lines = try await command.run(["cache", "list", "--json"] + cache + name).records(EntryLine.self)
            #expect(lines.map(\.url) == [urls[0]])
            let shown = try await command.run(["cache", "show", urls[0], "--json"] + cache + name)
            let path = try #require(try shown.records(ShownEntry.self).first?.path)
            #expect(path.hasPrefix(folder.path("cache/namespaces/")) && FileManager.default.fileExists(atPath: path))
        }
        let cleared = try await command.run(["cache", "clear", "--json"] + cache + names[0])
        #expect(try cleared.records(CacheLine.self).first?.removedEntries == 1)
        #expect(try await command.run(["cache", "list", "--json"] + cache + names[0]).output.isEmpty)
        #expect(
            try await command.run(["cache", "list", "--json"] + cache + names[1]).records(EntryLine.self).count == 1)
        #expect(try await listed().count == 3)
        let missing = try await command.run(["cache", "stats", "--namespace", "none"] + cache)
        #expect(missing.code == 1 && missing.notes.contains("no cache at"))
    }

    @Test("C110 C124: prune removes what was not used for so long")
    func pruneByAge() async throws {
        let files = try await files()
        try changeTime(of: try #require(files[urls[0]]), daysAgo: 3.5)
        try changeTime(of: try #require(files[urls[1]]), daysAgo: 2.5)
        let outcome = try await run("prune", "--unused-for", "3d", "--json")
        #expect(outcome.code == 0)
        let record = try #require(try outcome.records(PrunedLine.self).first)
        #expect(
            record.unusedEntries == 1 && record.expiredEntries == 0 && record.evictedEntries == 0 && record.entries == 2
        )
        #expect(Set(try await listed().map(\.url)) == Set(urls.dropFirst()))
        #expect(try await run("prune", "--unused-for", "0s").output.contains("0 too old, 2 unused, 0 too much"))
    }

    @Test("S144: prune by age goes by when a picture was stored, however often it was used since")
    func pruneByStorageDate() async throws {
        let disk = DiskCache(
            DiskCache.Configuration(directory: folder.path("cache")),
            wallClock: { DiskCache.systemClock() - 8 * 86_400 * 1_000_000_000 })
        let address = "https://example.org/old.png"
        try disk.store(Bytes([1, 2, 3]), metadata: ["url": address], for: DiskKey(KeyFields("old")))
        // All are used now: the file's time says so.
        for file in try await listed().map(\.file) { try changeTime(of: file, daysAgo: 0) }
        #expect(try await run("prune", "--unused-for", "3d", "--json").records(PrunedLine.self).first?.entries == 4)
        #expect(try await run("prune", "--older-than", "9d", "--json").records(PrunedLine.self).first?.entries == 4)
        let record = try #require(try await run("prune", "--older-than", "7d", "--json").records(PrunedLine.self).first)
        #expect(record.expiredEntries == 1 && record.unusedEntries == 0 && record.entries == 3)
        #expect(record.freedBytes == 4_096)
        #expect(try await run("show", address).code == 1)
    }

    @Test(
        "C110: without options prune removes what a cache would not give out any more, and what nobody used for a week")
    func plainPrune() async throws {
        let files = try await files()
        try changeTime(of: try #require(files[urls[0]]), daysAgo: 8)
        let record = try #require(try await run("prune", "--json").records(PrunedLine.self).first)
        #expect(record.expiredEntries == 0 && record.unusedEntries == 1 && record.entries == 2)
        #expect(try await run("clear").output.contains("2 pictures removed, "))
    }

    @Test("C111 C125 W031: prune goes down to the size asked for, no further, the longest unused first")
    func pruneBySize() async throws {
        let files = try await files()
        for (index, url) in urls.enumerated() {
            try changeTime(of: try #require(files[url]), daysAgo: [1, 2, 8][index])
        }
        let large = try #require(try await run("stats", "--json").records(CacheLine.self).first?.bytes)
        // One byte less than all: the large picture, unused for longest, makes the room; its age alone is no reason.
        let record = try #require(
            try await run("prune", "--to", "\(large - 1)", "--json").records(PrunedLine.self).first)
        #expect(record.evictedEntries == 1 && record.expiredEntries == 0 && record.bytes <= large - 1)
        #expect(Set(try await listed().map(\.url)) == Set(urls.prefix(2)))
        #expect(try await run("prune", "--to", "1GB", "--json").records(PrunedLine.self).first?.entries == 2)
        #expect(try await run("prune", "--to", "0", "--json").records(PrunedLine.self).first?.entries == 0)
    }

    @Test("W035: verify finds what is damaged, removes it, and then all is whole")
    func verify() async throws {
        let whole = try await run("verify")
        #expect(whole.code == 0 && whole.output.hasSuffix(": all whole\n") && whole.notes.isEmpty)
        let files = try await files()
        let (flipped, cut) = (try #require(files[urls[0]]), try #require(files[urls[2]]))
        try flipByte(10, of: flipped)
        let data = try Data(contentsOf: URL(filePath: path(of: cut)))
        try data.prefix(1_000).write(to: URL(filePath: path(of: cut)))

        let kept = try await run("verify", "--keep", "--json")
        #expect(kept.code == 1)
        let lines = try kept.records(VerifiedLine.self)
        #expect(lines.count == 3 && lines.last?.damagedEntries == 2 && lines.last?.removedEntries == 0)
        let reasons = Dictionary(uniqueKeysWithValues: lines.dropLast().map { ($0.file ?? "", $0.reason ?? "") })
        #expect(reasons == [flipped: "wrongChecksum", cut: "incomplete"])
        #expect([flipped, cut].allSatisfy { FileManager.default.fileExists(atPath: path(of: $0)) })

        let removed = try await run("verify")
        #expect(removed.code == 1 && removed.output.contains("\(cut): cut short, or no entry, removed\n"))
        #expect(removed.output.hasSuffix("2 damaged, 2 removed\n"))
        #expect(![flipped, cut].contains { FileManager.default.fileExists(atPath: path(of: $0)) })
        #expect(try await run("verify", "--json").code == 0)
        #expect(try await listed().map(\.url) == [urls[1]])
    }

    @Test(
        "a folder without a cache is an error and stays as it is",
        arguments: [
            ["stats"], ["list"], ["show", "abcdef0123"], ["remove", "https://example.org/a.png"], ["prune"], ["clear"],
            ["verify"],
        ])
    func wrongFolder(arguments: [String]) async throws {
        let nowhere = folder.path("nowhere")
        let outcome = try await command.run(["cache"] + arguments + ["--cache-dir", nowhere])
        #expect(outcome.code == 1 && outcome.output.isEmpty && outcome.notes.contains("no cache at \(nowhere)"))
        #expect(!FileManager.default.fileExists(atPath: nowhere))
    }

    @Test(
        "wrong usage ends with 2",
        arguments: [
            ["list", "--sort", "color"], ["list", "--limit", "0"], ["show"], ["remove"], ["prune", "--to", "big"],
            ["prune", "--older-than", "3"], ["prune", "--unused-for", "soon"], ["prune", "--older-than", "-3d"],
            ["verify", "--fast"],
        ])
    func usage(arguments: [String]) async throws {
        let outcome = try await command.run(["cache"] + arguments + cache)
        #expect(outcome.code == 2 && outcome.output.isEmpty && !outcome.notes.isEmpty)
    }
}

/// A line of `cache show --json`.
private struct ShownEntry: Decodable {
    let file: String
    let path: String
    let key: String
    let url: String?
    let bytes: Int
    let fileBytes: Int?
    let storedAt: Int
    let lastUsed: Int
    let metadata: [String: String]
    let attachments: [String: Int]
}

/// A line of `cache remove --json`.
private struct RemovedLine: Decodable {
    let removedEntries: Int
    let freedBytes: Int
    let missing: [String]
}

/// A line of `cache prune --json`.
private struct PrunedLine: Decodable {
    let expiredEntries: Int
    let unusedEntries: Int
    let freedBytes: Int
    let evictedEntries: Int
    let entries: Int
    let bytes: Int
}

/// A line of `cache verify --json`: a damaged entry, or the figures at the end.
private struct VerifiedLine: Decodable {
    let file: String?
    let reason: String?
    let damagedEntries: Int?
    let removedEntries: Int?
}
