#if GTK
import Foundation
import ImageCoding
import Pixels
import ServerSupport
import Testing

/// The article's example, as it stands there.
struct GalleryTests {
    private func picture(_ color: [UInt8], in folder: URL, _ name: String) throws -> URL {
        var bitmap = try Bitmap(uninitialized: PixelSize(width: 400, height: 300), format: .rgbx8)
        let rowBytes = bitmap.bytesPerRow
        try bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<300 {
                for x in 0..<400 {
                    for channel in 0..<4 { bytes[y * rowBytes + x * 4 + channel] = (color + [255])[channel] }
                }
            }
        }
        let file = folder.appending(path: name)
        try CoderRegistry.standard.encode(bitmap, as: .png).withUnsafeBytes { try Data($0).write(to: file) }
        return file
    }

    @Test("S007: the example of the article shows its pictures on the screen")
    func gallery() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = [
            try picture([200, 30, 30], in: folder, "a.png"), try picture([30, 200, 30], in: folder, "b.png"),
        ]
        let screen = try VirtualScreen()
        let environment = ProcessInfo.processInfo.environment.merging(screen.environment) { $1 }
            .merging(["XDG_CACHE_HOME": folder.path]) { $1 }
        let gallery = try ChildProcess(
            BuiltCommand("GTKGallery").executable, files.map(\.absoluteString), environment: environment)
        let deadline = ContinuousClock.now + .seconds(120)
        var seen: Set<String> = []
        // Nothing tells when it has drawn; what is on the screen does.
        while seen.count < 2, ContinuousClock.now < deadline {
            let dump = try ScreenDump(screen.file)
            seen = []
            for y in stride(from: 0, to: 500, by: 20) {
                for x in stride(from: 0, to: 660, by: 20) where ["200 30 30", "30 200 30"].contains(dump.color(x, y)) {
                    seen.insert(dump.color(x, y))
                }
            }
            await Task.yield()
        }
        #expect(seen == ["200 30 30", "30 200 30"])
        gallery.send(SIGTERM)
        await gallery.end()
    }
}
#endif
