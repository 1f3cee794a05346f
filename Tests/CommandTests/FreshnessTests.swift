import Foundation
import ServerSupport
import Testing
import WebImage

/// When the built command asks a real server, and what it says of that.
@Suite struct FreshnessTests {
    private let command: BuiltCommand
    private let server: NginxServer
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        server = try NginxServer()
        folder = try ScratchFolder()
        try serve(640, 480)
    }

    private func serve(_ width: Int, _ height: Int) throws {
        try Pictures.encoded(width, height, as: .jpeg).write(to: server.root.appending(path: "photo.jpg"))
    }

    private func load(_ path: String, _ more: String...) async throws -> LoadLine {
        let outcome = try await command.run(
            ["load", server.url(path), "--cache-dir", folder.path("cache"), "--retry", "0", "--json"] + more)
        let records = try outcome.records(LoadLine.self)
        #expect(outcome.code == (records.first?.error == nil ? 0 : 1), "\(outcome.notes)")
        #expect(records.count == 1)
        return try #require(records.first)
    }

    @Test("C030 P36: --fresh asks; a 304 comes from the disk and is confirmed, a changed picture from the network")
    func fresh() async throws {
        var line = try await load("photo.jpg")
        #expect(line.tier == "network" && line.freshness == "fresh" && line.attempts == 1 && line.hops == 1)
        line = try await load("photo.jpg")
        #expect(line.tier == "disk" && line.freshness == "fresh" && line.attempts == 0 && line.hops == 0)
        line = try await load("photo.jpg", "--fresh")
        #expect(line.tier == "disk" && line.freshness == "revalidated" && line.attempts == 1 && line.width == 640)
        try serve(320, 240)
        line = try await load("photo.jpg", "--fresh")
        #expect(line.tier == "network" && line.freshness == "fresh" && line.width == 320)
        line = try await load("photo.jpg", "--offline")
        #expect(line.tier == "disk" && line.width == 320)
        #expect(try server.stop().count == 3)
    }

    @Test("C042 P43: --offline asks nobody, takes what is stale and says so")
    func offline() async throws {
        #expect(try await load("brief/photo.jpg").tier == "network")
        #expect(try await load("photo.jpg").tier == "network")
        #expect(try server.stop().count == 2)
        var line = try await load("brief/photo.jpg", "--offline")
        #expect(line.tier == "disk" && line.freshness == "stale" && line.width == 640 && line.attempts == 0)
        line = try await load("photo.jpg", "--offline")
        #expect(line.tier == "disk" && line.freshness == "fresh")
        line = try await load("none.jpg", "--offline")
        #expect(line.error?.code == "notCached")
        let plain = try await command.run(
            ["load", server.url("brief/photo.jpg"), "--offline", "--cache-dir", folder.path("cache")])
        #expect(plain.output.hasPrefix("disk, stale  jpeg 640×480"))
    }

    @Test("--explain says what each cache had and what the server said, and only when asked")
    func explain() async throws {
        #expect(try await load("photo.jpg").why == nil)
        let why = try #require(try await load("photo.jpg", "--fresh", "--explain").why)
        #expect(why.contains { $0.hasPrefix("The disk cache had it") })
        #expect(why.last == "The origin was asked whether it has changed: it has not (304).")
        let other = try #require(try await load("brief/photo.jpg", "--explain").why)
        #expect(other.contains("The disk cache did not have it."))
        #expect(other.last == "The origin was asked for it: status 200.")
        let plain = try await command.run(
            ["load", server.url("photo.jpg"), "--explain", "--cache-dir", folder.path("cache")])
        let lines = plain.output.split(separator: "\n").map(String.init)
        #expect(
            lines.count > 2 && lines[0].hasPrefix("disk  ") && lines.dropFirst().allSatisfy { $0.hasPrefix("    ") })
        #expect(lines.last?.contains("fresh for another") == true)
    }
}
