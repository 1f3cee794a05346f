import Foundation
import ServerSupport
import Testing
import WebImage

/// What the built command does to files that are there already, and what it refuses to do.
@Suite struct OutputFileTests {
    private let command: BuiltCommand
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        folder = try ScratchFolder()
        try Pictures.encoded(64, 48, as: .png).write(to: URL(filePath: folder.path("icon.png")))
    }

    private func run(_ arguments: String...) async throws -> BuiltCommand.Outcome {
        try await command.run(arguments + ["--cache-dir", folder.path("cache")])
    }

    @Test("a link stays, what it leads to is written, and permissions are kept", arguments: ["load", "convert"])
    func links(name: String) async throws {
        let (real, link) = (folder.path("real.png"), folder.path("link.png"))
        let files = FileManager.default
        #expect(files.createFile(atPath: real, contents: Data([1]), attributes: [.posixPermissions: 0o600]))
        try files.createSymbolicLink(atPath: link, withDestinationPath: "real.png")
        let outcome =
            name == "load"
            ? try await run("load", folder.path("icon.png"), "--size", "8x8", "--output", link)
            : try await run(
                "convert", folder.path("icon.png"), "--width", "8", "--height", "8", "--overwrite", "--output", link)
        #expect(outcome.code == 0, "\(outcome.notes)")
        #expect(try files.destinationOfSymbolicLink(atPath: link) == "real.png")
        #expect(try folder.size(of: "real.png") == PixelSize(width: 8, height: 6))
        #expect(try files.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o600)
        #expect(try folder.names.filter { $0.hasPrefix(".") } == [])
    }

    @Test("what is loaded never replaces a source")
    func sources() async throws {
        let icon = URL(filePath: folder.path("icon.png"))
        let before = try Data(contentsOf: icon)
        let outcome = try await run(
            "load", folder.path("icon.png"), "--size", "8x8", "--format", "png", "--output", folder.path("") + "/")
        #expect(outcome.code == 1 && outcome.notes.contains("is a source itself"))
        #expect(try Data(contentsOf: icon) == before)
    }

    @Test(
        "sources of one name are numbered in the order of the arguments, whatever becomes of them",
        arguments: ["load", "convert"])
    func numbers(verb: String) async throws {
        try Pictures.encoded(8, 8, as: .png).write(to: URL(filePath: folder.path("other.png")))
        for (place, name) in [("2", "icon.png"), ("3", "other.png")] {
            try FileManager.default.createDirectory(atPath: folder.path(place), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: folder.path(name), toPath: folder.path("\(place)/cat.png"))
        }
        let sources = ["1/cat.png", "2/cat.png", "3/cat.png"].map(folder.path)
        let outcome = try await command.run(
            [verb] + sources + [
                "--format", "jpeg", "--output", folder.path("out"), "--cache-dir", folder.path("cache"),
            ])
        #expect(outcome.code == 1)
        #expect(try folder.size(of: "out/cat-2.jpg") == PixelSize(width: 64, height: 48))
        #expect(try folder.size(of: "out/cat-3.jpg") == PixelSize(width: 8, height: 8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == 2)
    }

    @Test("a place that takes no file fails for its source before anything is loaded", arguments: ["load", "convert"])
    func early(verb: String) async throws {
        let server = try NginxServer()
        try Pictures.encoded(8, 8, as: .png).write(to: server.root.appending(path: "icon.png"))
        let outcome = try await run(
            verb, server.url("icon.png"), "--format", "png", "--output", folder.path("icon.png") + "/below.png",
            "--json")
        #expect(outcome.code == 1)
        let record = try #require(try outcome.records(ConvertLine.self).first)
        #expect(record.error?.code == "unwritable" && record.error?.message.contains("Not a directory") == true)
        #expect(try server.stop().isEmpty)
    }

    @Test(
        "what looks like options, and names that can be no entry's are wrong usage",
        arguments: [["load", "-h1.png"], ["cache", "show", "4e6d"], ["cache", "remove", ""]])
    func usage(arguments: [String]) async throws {
        let outcome = try await command.run(arguments + ["--cache-dir", folder.path("cache")])
        #expect(outcome.code == 2 && outcome.output.isEmpty && outcome.notes.hasPrefix("Error: "))
    }

    @Test("a picture that loses its other frames says so")
    func frames() async throws {
        let frames = try [8, 10].map { width in
            let picture = Bytes(Array(try Pictures.encoded(width, 8, as: .png)))
            let bitmap = try CoderRegistry.standard.decode(picture)
            return AnimationFrame(
                try bitmap.resized(scaledTo: PixelSize(width: 8, height: 8)), duration: .milliseconds(50))
        }
        let bytes = try CoderRegistry.standard.encode(FrameSequence(frames), as: .gif)
        try bytes.withUnsafeBytes { Data($0) }.write(to: URL(filePath: folder.path("two.gif")))
        let outcome = try await run("convert", folder.path("two.gif"), "--output", folder.path("two.tiff"))
        #expect(outcome.code == 0 && outcome.output.contains("the first of 2 frames"), "\(outcome.notes)")
    }
}
