#if GTK
import Foundation
import WebImage

/// A folder of pictures of one colour each, removed with the last reference to it.
final class PlainPictures {
    /// A colour that can be told from all others on a screen.
    struct Color: Hashable, Sendable {
        let name: Character
        let parts: [UInt8]

        /// As a dump of the screen says it.
        var text: String { parts.map { "\($0)" }.joined(separator: " ") }
    }

    static let colors = [
        Color(name: "R", parts: [200, 30, 30]), Color(name: "G", parts: [30, 200, 30]),
        Color(name: "B", parts: [30, 30, 200]), Color(name: "Y", parts: [200, 200, 30]),
    ]

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "plain-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// PNG files, as many as are asked for, each of the next colour.
    func files(_ count: Int) throws -> [URL] {
        try Self.colors.prefix(count).map { color in
            let file = folder.appending(path: "\(color.name) 100%.png")
            let bytes = try CoderRegistry.standard.encode(Self.bitmap(color), as: .png)
            try bytes.withUnsafeBytes { try Data($0).write(to: file) }
            return file
        }
    }

    /// A GIF that shows the first two colours in turn, for ever.
    func animation() throws -> URL {
        let frames = try Self.colors.prefix(2).map {
            AnimationFrame(try Self.bitmap($0), duration: .milliseconds(100))
        }
        let file = folder.appending(path: "moving.gif")
        let bytes = try CoderRegistry.standard.encode(FrameSequence(frames, loopCount: 0), as: .gif)
        try bytes.withUnsafeBytes { try Data($0).write(to: file) }
        return file
    }

    private static func bitmap(_ color: Color) throws -> Bitmap {
        var bitmap = try Bitmap(uninitialized: PixelSize(width: 400, height: 300), format: .rgbx8)
        let rowBytes = bitmap.bytesPerRow
        try bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<300 {
                for x in 0..<400 {
                    for channel in 0..<4 { bytes[y * rowBytes + x * 4 + channel] = (color.parts + [255])[channel] }
                }
            }
        }
        return bitmap
    }
}
#endif
