import Foundation
import ServerSupport
import Testing
import WebImage

@testable import WebImageCommand

/// What `webimage info` tells, against pictures whose makers are other programs.
@Suite struct InfoTests {
    private let command: BuiltCommand
    private let folder: ScratchFolder

    init() throws {
        command = try BuiltCommand()
        folder = try ScratchFolder()
    }

    private func line(_ path: String) async throws -> InfoLine {
        let outcome = try await command.run(["info", path, "--json", "--cache-dir", folder.path("cache")])
        #expect(outcome.code == 0, "\(outcome.notes)")
        return try #require(try outcome.records(InfoLine.self).first)
    }

    @Test("P24: sizes are told as seen and as stored, with the orientation between them")
    func orientation() async throws {
        let line = try await line(Pictures.path("metadata/large.jpg"))
        #expect(line.width == 480 && line.height == 640 && line.orientation == 6)
        #expect(line.storedWidth == 640 && line.storedHeight == 480)
        let metadata = try Pictures.bytes("metadata/large.jpg").withUnsafeBytes {
            try CoderRegistry.standard.metadata(of: $0)
        }
        #expect(line.exifBytes == metadata.exif?.count && line.exifBytes != nil && line.xmpBytes == nil)
        #expect(line.thumbnail == InfoLine.Thumbnail(bytes: metadata.thumbnail?.count ?? 0, width: 160, height: 120))
    }

    @Test(
        "C217 C218: frames, durations and loop count of what moves",
        arguments: [
            "animated.gif", "animated.png", "animated.webp", "animation/mixed.gif", "animation/keys.avif",
            "animation/plays.jxl",
        ])
    func moving(name: String) async throws {
        let line = try await line(Pictures.path(name))
        let animation = try CoderRegistry.standard.animation(of: Pictures.bytes(name))
        #expect(line.format == animation.header.format.name)
        #expect(line.frames == animation.frameCount && animation.frameCount > 1)
        #expect(line.durations == animation.durations.map { $0 / .milliseconds(1) })
        #expect(line.loopCount == animation.loopCount)
        #expect(line.isComplete == true && line.pages == nil)
    }

    @Test("a moving picture that ends early says so")
    func cutOff() async throws {
        let bytes = try Pictures.bytes("animated.gif").withUnsafeBytes { Data($0) }
        let path = folder.path("cut.gif")
        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: path))
        let line = try await line(path)
        #expect(line.isComplete == false && (2..<24).contains(line.frames ?? 0))
    }

    @Test(
        "pages and sizes are no movement",
        arguments: [
            ("ico/sizes.ico", 2), ("tiff/pages.tiff", 3), ("tiff/mixed-pages.tiff", 3), ("pdf/drawing.pdf", 2),
            ("heif/several.heic", 4),
        ])
    func pages(name: String, count: Int) async throws {
        let line = try await line(Pictures.path(name))
        #expect(line.pages == count && line.frames == 1 && line.durations == nil)
    }

    @Test(
        "colours have the names that people give them",
        arguments: [
            ("color/p3.jpg", "Display P3", 8), ("color/pq-2020.png", "BT.2020 PQ", 16),
            ("color/hlg-2020.png", "BT.2020 HLG", 16), ("color/cicp-p3.png", "Display P3", 8),
            ("color/gamma-primaries.png", "gamma 2.2, own primaries", 8), ("color/srgb.jpg", "sRGB", 8),
            ("one-pixel.png", "unspecified", 8),
        ])
    func color(name: String, color: String, bits: Int) async throws {
        let line = try await line(Pictures.path(name))
        #expect(line.color == color && line.bitsPerComponent == bits)
        #expect(line.isHighDynamicRange == color.contains(" PQ") || line.isHighDynamicRange == color.contains(" HLG"))
        #expect(line.hasGainMap == false)
    }

    @Test("a profile is told with its size and its name")
    func profile() async throws {
        let line = try await line(Pictures.path("color/p3.jpg"))
        let stored = try Data(contentsOf: URL(filePath: Pictures.path("color/p3.icc")))
        #expect(line.profileBytes == stored.count && line.profile == "Display P3")
    }

    @Test("passes and transparency are told")
    func passes() async throws {
        #expect(try await line(Pictures.path("progressive.jpg")).isProgressive == true)
        #expect(try await line(Pictures.path("photograph.jpg")).isProgressive == false)
        #expect(try await line(Pictures.path("rgba.png")).hasAlpha == true)
        #expect(try await line(Pictures.path("gray.jpg")).hasAlpha == false)
    }

    @Test("people get the same, a line for each thing that is worth telling")
    func sheet() async throws {
        let path = Pictures.path("metadata/both.jpg")
        let outcome = try await command.run(["info", path, "--cache-dir", folder.path("cache")])
        #expect(
            outcome.output == """
                \(path)
                  format    jpeg
                  size      12×20, stored as 20×12, orientation 6
                  pixels    8 bits a channel, opaque
                  colour    unspecified, shown as sRGB
                  metadata  EXIF 112 B, XMP 2.9 KiB
                  file      3.8 KiB

                """)
    }

    @Test("movement and pages have lines of their own")
    func movingSheet() throws {
        let moving = InfoSheet.lines(try PictureReport(source: "a", bytes: Pictures.bytes("animation/mixed.gif")))
        #expect(moving.contains("  frames  5, 0.5 s, 2 times"))
        let paged = InfoSheet.lines(try PictureReport(source: "a", bytes: Pictures.bytes("tiff/pages.tiff")))
        #expect(paged.contains("  pages   3") && !paged.contains { $0.hasPrefix("  frames") })
    }
}
