#if GTK
import Foundation
import ServerSupport
import Testing
import WebImage

/// Programs that open windows, and what is then on the screen.
struct GalleryTests {
    private static let colors = ["200 30 30", "30 200 30"]

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

    /// Starts a program with a red and a green picture, or the first of them, and looks until they are on the screen.
    private func show(_ program: String, _ words: [String] = [], count: Int = 2) async throws -> Set<String> {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = [
            try picture([200, 30, 30], in: folder, "a.png"), try picture([30, 200, 30], in: folder, "b.png"),
        ]
        let screen = try VirtualScreen()
        let environment = ProcessInfo.processInfo.environment.merging(screen.environment) { $1 }
            .merging(["XDG_CACHE_HOME": folder.path]) { $1 }
        // Its end is the end of what it says.
        let complaints = try ChildPipe()
        let process = try ChildProcess(
            BuiltCommand(program).executable, words + files.prefix(count).map(\.absoluteString),
            environment: environment, errors: complaints.writing)
        close(complaints.writing)
        let seen = await Self.watch(screen.file, until: count, complaints.reading)
        process.send(SIGTERM)
        await process.end()
        return seen
    }

    /// Looks at the screen until all colours are there, or the program ends. Nothing tells when a program has drawn; what is
    /// on the screen does. On a thread of its own, since others need theirs, and listening to the program between two looks.
    private static func watch(_ file: URL, until count: Int, _ complaints: Int32) async -> Set<String> {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let deadline = ContinuousClock.now + .seconds(600)
                var seen: Set<String> = []
                while seen.count < count, ContinuousClock.now < deadline {
                    seen = (try? ScreenDump(file)).map(colors(on:)) ?? []
                    if !isAlive(complaints) { break }
                }
                close(complaints)
                continuation.resume(returning: seen)
            }
        }
    }

    /// Takes what the program says, for a fiftieth of a second at most.
    private static func isAlive(_ complaints: Int32) -> Bool {
        var waiting = pollfd(fd: complaints, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 20) > 0 else { return true }
        var room = [UInt8](repeating: 0, count: 4_096)
        return read(complaints, &room, room.count) != 0
    }

    private static func colors(on dump: ScreenDump) -> Set<String> {
        var seen: Set<String> = []
        for y in stride(from: 0, to: 500, by: 20) {
            for x in stride(from: 0, to: 660, by: 20) where colors.contains(dump.color(x, y)) {
                seen.insert(dump.color(x, y))
            }
        }
        return seen
    }

    @Test("S007: the example of the article shows its pictures on the screen")
    func gallery() async throws {
        #expect(try await show("GTKGallery") == Set(Self.colors))
    }

    @Test("webimage view shows the pictures that it is given as a grid")
    func viewer() async throws {
        #expect(try await show("webimage", ["view"]) == Set(Self.colors))
    }

    @Test("webimage view shows a single picture in the whole window")
    func picture() async throws {
        #expect(try await show("webimage", ["view"], count: 1) == ["200 30 30"])
    }

    @Test("webimage view says so where there is no display")
    func withoutDisplay() async throws {
        let outcome = try await BuiltCommand().run(["view"], environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
        #expect(outcome.code == 1)
        #expect(outcome.notes.contains("no display"))
    }
}
#endif
