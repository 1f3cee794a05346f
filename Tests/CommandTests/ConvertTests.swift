import Foundation
import ServerSupport
import Testing
import WebImage

/// The built command `webimage convert`; what it wrote is decoded again.
@Suite struct ConvertTests {
    private let command: BuiltCommand
    private let folder: ScratchFolder
    private let coders = CoderRegistry.standard

    init() throws {
        command = try BuiltCommand()
        folder = try ScratchFolder()
        try Pictures.encoded(64, 48, as: .png).write(to: URL(filePath: folder.path("pattern.png")))
    }

    private func convert(_ sources: [String], _ arguments: [String]) async throws -> BuiltCommand.Outcome {
        try await command.run(["convert"] + sources + arguments + ["--json", "--cache-dir", folder.path("cache")])
    }

    /// Converts one picture to a file here, which has to work.
    private func convert(_ source: String, to name: String, _ arguments: [String] = []) async throws -> ConvertLine {
        let outcome = try await convert([source], arguments + ["--output", folder.path(name)])
        #expect(outcome.code == 0, "\(outcome.notes)\(outcome.output)")
        return try #require(try outcome.records(ConvertLine.self).first)
    }

    private func info(_ name: String) throws -> ImageInfo {
        try folder.bytes(of: name).withUnsafeBytes { try coders.info(of: $0) }
    }

    private func metadata(_ name: String) throws -> ImageMetadata {
        try folder.bytes(of: name).withUnsafeBytes { try coders.metadata(of: $0) }
    }

    @Test("the bytes are of the format that was wanted", arguments: CoderRegistry.standard.encodableFormats)
    func formats(format: ImageFormat) async throws {
        let name = "pattern-out.\(format.fileExtension)"
        let line = try await convert(folder.path("pattern.png"), to: name, ["--format", format.name])
        let bytes = try folder.bytes(of: name)
        #expect(bytes.withUnsafeBytes { ImageFormat(sniffing: $0) } == format)
        #expect(try folder.size(of: name) == PixelSize(width: 64, height: 48))
        #expect(line.sourceFormat == "png" && line.format == format.name && line.tier == "local")
        #expect(line.width == 64 && line.height == 48 && line.frames == 1)
        #expect(line.bytes == bytes.count && line.output == folder.path(name))
    }

    @Test("--lossless keeps every pixel", arguments: ["png", "webp", "avif", "jxl", "tiff", "bmp"])
    func lossless(format: String) async throws {
        _ = try await convert(folder.path("pattern.png"), to: "same.\(format)", ["--lossless"])
        let before = try coders.decode(folder.bytes(of: "pattern.png"))
        let after = try coders.decode(folder.bytes(of: "same.\(format)"))
        #expect(after.format == before.format && Pictures.pixels(after) == Pictures.pixels(before))
    }

    @Test(
        "what moves goes on moving: every frame, duration and the loop count",
        arguments: [("gif", "gif"), ("webp", "webp-animated"), ("apng", "apng")],
        ["animated.gif", "animated.png", "animated.webp"])
    func moving(target: (format: String, name: String), source: String) async throws {
        let line = try await convert(Pictures.path(source), to: "moving", ["--format", target.format])
        let before = try coders.animation(of: Pictures.bytes(source))
        let after = try coders.animation(of: folder.bytes(of: "moving"))
        #expect(line.frames == before.frameCount && line.format == target.name)
        #expect(after.header.format.name == target.name && after.size == before.size)
        #expect(after.frameCount == before.frameCount && after.durations == before.durations)
        #expect(after.loopCount == before.loopCount)
    }

    @Test("--lossless keeps every pixel of every frame", arguments: ["webp", "apng"])
    func movingLossless(format: String) async throws {
        _ = try await convert(Pictures.path("animated.gif"), to: "moving", ["--format", format, "--lossless"])
        let before = try coders.animation(of: Pictures.bytes("animated.gif"))
        let after = try coders.animation(of: folder.bytes(of: "moving"))
        for index in [0, 1, before.frameCount - 1] {
            let frames = try (before.frame(at: index), after.frame(at: index))
            #expect(Pictures.pixels(frames.0) == Pictures.pixels(frames.1), "frame \(index)")
        }
    }

    @Test(
        "C208: the first frame alone, where that is wanted or all that the format can",
        arguments: [("out.webp", ["--first-frame"]), ("out.gif", ["--first-frame"]), ("out.png", []), ("out.jpg", [])])
    func firstFrame(name: String, arguments: [String]) async throws {
        let line = try await convert(Pictures.path("animated.gif"), to: name, arguments)
        #expect(line.frames == 1)
        #expect(try coders.animation(of: folder.bytes(of: name)).frameCount == 1)
        guard name == "out.png" else { return }
        let first = try coders.animation(of: Pictures.bytes("animated.gif")).frame(at: 0)
        #expect(Pictures.pixels(try coders.decode(folder.bytes(of: name))) == Pictures.pixels(first))
    }

    @Test(
        "of a document the first page is the picture, also where the output could move",
        arguments: ["pdf/sizes.pdf", "tiff/mixed-pages.tiff", "heif/several.heic"], ["jpeg", "gif", "webp"])
    func pages(name: String, format: String) async throws {
        let line = try await convert(Pictures.path(name), to: "page", ["--format", format])
        #expect(line.frames == 1 && line.format == format)
        let first = try coders.animation(of: Pictures.bytes(name)).size
        #expect(try folder.size(of: "page") == first)
    }

    @Test("sequences of the newer formats move on", arguments: ["animation/keys.avif", "animation/plays.jxl"])
    func newer(name: String) async throws {
        let line = try await convert(Pictures.path(name), to: "moving.gif")
        let before = try coders.animation(of: Pictures.bytes(name))
        let after = try coders.animation(of: folder.bytes(of: "moving.gif"))
        #expect(line.frames == 7 && after.frameCount == 7 && after.loopCount == before.loopCount)
    }

    @Test("a picture that does not move becomes a plain PNG also as apng")
    func stillAsMoving() async throws {
        #expect(try await convert(folder.path("pattern.png"), to: "still", ["--format", "apng"]).format == "png")
    }

    @Test("C212: a file has no more bytes than it may", arguments: ["jpg", "webp", "png"])
    func maximumBytes(format: String) async throws {
        let source = Pictures.path("photograph.jpg")
        let whole = try await convert(source, to: "whole.\(format)", ["--width", "400"])
        let line = try await convert(source, to: "small.\(format)", ["--width", "400", "--max-bytes", "8KB"])
        let count = try folder.bytes(of: "small.\(format)").count
        #expect(line.bytes == count && count <= 8_000 && count > 4_000 && (whole.bytes ?? 0) > 8_000)
        #expect(try folder.size(of: "small.\(format)").width == line.width)
        if format != "png" { #expect(line.width == 400) }
    }

    @Test("C212: and so has one that moves, with all its frames", arguments: ["webp", "gif"])
    func maximumBytesMoving(format: String) async throws {
        let source = Pictures.path("animated.gif")
        let arguments = ["--width", "120", "--max-bytes", "10KB"]
        let line = try await convert(source, to: "small.\(format)", arguments)
        let after = try coders.animation(of: folder.bytes(of: "small.\(format)"))
        let before = try coders.animation(of: Pictures.bytes("animated.gif"))
        #expect(after.bytes.count <= 10_000 && line.bytes == after.bytes.count)
        #expect(after.frameCount == before.frameCount && after.durations == before.durations)
        #expect(after.size.width == line.width && after.size.width <= 120)
    }

    @Test("what fits at no size fails", arguments: ["png", "webp"])
    func tooFewBytes(format: String) async throws {
        let output = folder.path("none.\(format)")
        let outcome = try await convert([Pictures.path("animated.gif")], ["--max-bytes", "10", "--output", output])
        #expect(outcome.code == 1)
        let error = try #require(try outcome.records(ConvertLine.self).first?.error)
        #expect(error.code == "tooManyBytes" && error.stage == "encode")
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test(
        "C211: sizes are met in the picture's own shape, and nothing is made larger",
        arguments: [
            (["--width", "32"], 32, 24), (["--height", "12"], 16, 12), (["--width", "20", "--height", "20"], 20, 15),
            (["--width", "20", "--height", "20", "--fit", "cover"], 20, 20), (["--max-size", "32"], 32, 24),
            (["--max-size", "400x12"], 16, 12), (["--width", "400"], 64, 48),
            (["--width", "40", "--height", "40", "--fit", "cover", "--max-size", "10"], 10, 10),
        ])
    func sizes(arguments: [String], width: Int, height: Int) async throws {
        let line = try await convert(folder.path("pattern.png"), to: "out.png", arguments)
        #expect(try folder.size(of: "out.png") == PixelSize(width: width, height: height))
        #expect(line.width == width && line.height == height)
    }

    @Test("frames are resized as pictures are", arguments: ["gif", "webp"])
    func movingSize(format: String) async throws {
        _ = try await convert(Pictures.path("animated.gif"), to: "m.\(format)", ["--max-size", "60", "--height", "90"])
        let animation = try coders.animation(of: folder.bytes(of: "m.\(format)"))
        #expect(animation.size == PixelSize(width: 60, height: 60) && animation.frameCount == 24)
        #expect(try animation.frame(at: 23).size == animation.size)
    }

    @Test("P24: pixels are upright, and EXIF that is kept does not turn them again")
    func keptMetadata() async throws {
        let line = try await convert(Pictures.path("metadata/both.jpg"), to: "kept.jpg", ["--keep-metadata"])
        let kept = try metadata("kept.jpg")
        #expect(kept.exif != nil && kept.xmp != nil && kept.orientation == .up)
        #expect(line.exifBytes == kept.exif?.count && line.xmpBytes == kept.xmp?.count)
        #expect(try info("kept.jpg").orientation == .up && folder.size(of: "kept.jpg").width == 12)
    }

    @Test("metadata is left out when nothing else is said", arguments: [[], ["--strip-metadata"]])
    func strippedMetadata(arguments: [String]) async throws {
        let line = try await convert(Pictures.path("metadata/both.jpg"), to: "bare.jpg", arguments)
        #expect(try metadata("bare.jpg").isEmpty && line.exifBytes == nil && line.xmpBytes == nil)
        #expect(try info("bare.jpg").orientation == .up && folder.size(of: "bare.jpg").width == 12)
    }

    @Test("C213: a thumbnail goes into the file")
    func thumbnail() async throws {
        _ = try await convert(Pictures.path("photograph.jpg"), to: "t.jpg", ["--width", "300", "--thumbnail", "64"])
        let small = try #require(try metadata("t.jpg").thumbnail)
        let size = try coders.decode(small).size
        #expect(max(size.width, size.height) == 64)
    }

    @Test("C210: transparent pixels are laid over the background", arguments: [("00ff00", 1), ("#0000FF", 2)])
    func background(color: String, channel: Int) async throws {
        var clear = try Bitmap(uninitialized: PixelSize(width: 16, height: 16), format: .rgba8)
        try clear.withUnsafeMutableBytes { pixels in for offset in pixels.indices { pixels[offset] = 0 } }
        try coders.encode(clear, as: .png).withUnsafeBytes { Data($0) }
            .write(to: URL(filePath: folder.path("clear.png")))
        _ = try await convert(
            folder.path("clear.png"), to: "laid.jpg", ["--background", color, "--quality", "100"])
        let pixel = Pictures.pixels(try coders.decode(folder.bytes(of: "laid.jpg"))).prefix(3)
        for (index, value) in pixel.enumerated() { #expect(index == channel ? value >= 250 : value <= 5) }
    }

    @Test("quality, effort and passes reach the encoder")
    func options() async throws {
        let source = Pictures.path("photograph.jpg")
        let low = try await convert(source, to: "low.jpg", ["--width", "300", "--quality", "20"])
        let high = try await convert(source, to: "high.jpg", ["--width", "300", "--quality", "95"])
        #expect((low.bytes ?? 0) * 2 < high.bytes ?? 0)
        _ = try await convert(source, to: "passes.jpg", ["--width", "300", "--progressive"])
        #expect(try info("passes.jpg").isProgressive && !info("low.jpg").isProgressive)
        let quick = try await convert(source, to: "0.png", ["--width", "300", "--effort", "0"])
        let slow = try await convert(source, to: "10.png", ["--width", "300", "--effort", "10"])
        #expect(slow.bytes ?? 0 < quick.bytes ?? 0)
    }

    @Test("a file that is there stays, unless it may be replaced")
    func existing() async throws {
        let before = try folder.bytes(of: "pattern.png")
        let arguments = ["--format", "png", "--width", "8", "--output", folder.path("")]
        let refused = try await convert([folder.path("pattern.png")], arguments)
        #expect(refused.code == 1)
        #expect(try refused.records(ConvertLine.self).first?.error?.code == "outputExists")
        #expect(try folder.bytes(of: "pattern.png").withUnsafeBytes { Data($0) } == before.withUnsafeBytes { Data($0) })
        let replaced = try await convert([folder.path("pattern.png")], arguments + ["--overwrite"])
        #expect(replaced.code == 0)
        #expect(try folder.size(of: "pattern.png") == PixelSize(width: 8, height: 6))
        #expect(try folder.names == ["pattern.png"])
    }

    @Test("several go to a folder, those with one name to files of their own, in the order of the command line")
    func several() async throws {
        let sources = ["animated.gif", "animated.png", "photograph.jpg"].map(Pictures.path)
        let outcome = try await convert(
            sources, ["--format", "jpeg", "--width", "16", "--output", folder.path("out")])
        #expect(outcome.code == 0)
        let lines = try outcome.records(ConvertLine.self).sorted { $0.output ?? "" < $1.output ?? "" }
        let names = ["animated-2.jpg", "animated.jpg", "photograph.jpg"]
        #expect(lines.map(\.output) == names.map { folder.path("out/\($0)") })
        #expect(lines.map(\.source) == [sources[1], sources[0], sources[2]])
    }

    @Test("a URL goes the way of every load: the second time it is on the disk")
    func url() async throws {
        let server = try NginxServer()
        try Pictures.encoded(64, 48, as: .png).write(to: server.root.appending(path: "icon.png"))
        for (tier, name) in [("network", "1.webp"), ("disk", "2.webp")] {
            #expect(try await convert(server.url("icon.png"), to: name).tier == tier)
        }
        #expect(try server.stop() == ["/icon.png"])
    }

    @Test("what is no picture, or is not there, fails alone")
    func badSources() async throws {
        try Data("<html><body>Sign in</body></html>".utf8).write(to: URL(filePath: folder.path("page.html")))
        let whole = try Pictures.bytes("photograph.jpg").withUnsafeBytes { Data($0) }
        try whole.prefix(whole.count / 2).write(to: URL(filePath: folder.path("half.jpg")))
        let sources = ["page.html", "half.jpg", "none.png", "pattern.png"].map(folder.path)
        let outcome = try await convert(sources, ["--format", "webp", "--output", folder.path("out")])
        #expect(outcome.code == 1)
        let lines = try outcome.records(ConvertLine.self)
        func error(_ index: Int) -> String? { lines.first { $0.source == sources[index] }?.error?.code }
        #expect(error(0) == "notAnImage" && error(1) == "truncated" && error(2) == "fileNotFound")
        #expect(error(3) == nil && lines.count == 4)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == ["pattern.webp"])
    }

    @Test("a moving picture that is damaged further on fails in its decoder")
    func damagedFrames() async throws {
        var bytes = try Pictures.bytes("animated.png").withUnsafeBytes { Data($0) }
        let middle = bytes.count / 2
        bytes.replaceSubrange(middle..<middle + 64, with: Data(repeating: 0, count: 64))
        try bytes.write(to: URL(filePath: folder.path("damaged.png")))
        let outcome = try await convert([folder.path("damaged.png")], ["--output", folder.path("out.webp")])
        #expect(outcome.code == 1)
        #expect(try outcome.records(ConvertLine.self).first?.error?.stage == "decode")
        #expect(try folder.names == ["damaged.png", "pattern.png"])
    }

    @Test("an output that cannot be written fails with its reason", arguments: ["/dev/full", "pattern.png/below.png"])
    func unwritable(place: String) async throws {
        #if os(Linux)
        let output = place.hasPrefix("/") ? place : folder.path(place)
        let outcome = try await convert([folder.path("pattern.png")], ["--format", "png", "--output", output])
        #expect(outcome.code == 1)
        let error = try #require(try outcome.records(ConvertLine.self).first?.error)
        #expect(error.code == "unwritable" && error.stage == "encode")
        #expect(error.message.contains(place.hasPrefix("/") ? "No space left" : "Not a directory"))
        #endif
    }

    @Test(
        "wrong usage ends with 2 and writes nothing",
        arguments: [
            [], ["--format", "xyz"], ["--output", "out.xyz"], ["--format", "png", "--quality", "0"],
            ["--format", "jpeg", "--lossless"], ["--format", "png", "--effort", "11"],
            ["--format", "png", "--width", "0"], ["--format", "png", "--max-size", "0"],
            ["--format", "png", "--max-bytes", "0"], ["--format", "png", "--background", "12345g"],
            ["--format", "png", "--thumbnail", "8"], ["--format", "png", "--keep-metadata", "--strip-metadata"],
            ["--format", "svg"],
        ])
    func usage(arguments: [String]) async throws {
        let arguments = arguments.map { $0 == "out.xyz" ? folder.path($0) : $0 }
        let outcome = try await convert([folder.path("pattern.png")], arguments)
        #expect(outcome.code == 2 && outcome.output.isEmpty && !outcome.notes.isEmpty)
        #expect(try folder.names == ["pattern.png"])
    }
}
