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
        "what looks like options, a pipe for a picture, and names that can be no entry's are wrong usage",
        arguments: [
            ["load", "-h1.png"], ["load", "icon.png", "--output", "-"],
            ["load", "icon.png", "--output", "/dev/stdout"], ["cache", "show", "4e6d"],
            ["cache", "remove", ""], ["convert", "icon.png", "--format", "png", "--output", "-"],
        ])
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
