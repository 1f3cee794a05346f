import Foundation
import Synchronization
import Testing
import WebImage

@testable import WebImageCommand

@Suite struct OutputTests {
    @Test("columns are aligned, and no line ends in spaces")
    func table() {
        var table = Table([("NAME", .left), ("SIZE", .right), ("NOTE", .left)])
        table.append(["a", "1", "first"])
        table.append(["longer", "1000", ""])
        #expect(table.lines == ["NAME    SIZE  NOTE", "a          1  first", "longer  1000"])
    }

    @Test(
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (10_035, "9.8 KiB"), (3 << 20, "3.0 MiB"),
            (5 << 40, "5.0 TiB"),
        ])
    func bytes(count: Int, expected: String) {
        #expect(Figures.bytes(count) == expected)
    }

    @Test func milliseconds() {
        #expect(Figures.milliseconds(.microseconds(1_234)) == 1.234)
        #expect(Figures.milliseconds(.seconds(2)) == 2_000)
        #expect(Figures.milliseconds(.nanoseconds(400)) == 0)
    }

    @Test("there is a bar for each running download and one for the whole")
    func board() {
        var board = ProgressBoard(total: 3)
        board.update(0, name: "cat", received: 512, expected: 1_024)
        board.update(1, name: "dog", received: 2_048, expected: nil)
        var lines = board.lines(columns: 100)
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("cat ") && lines[0].hasSuffix("512 B of 1.0 KiB"))
        #expect(lines[0].filter { $0 == "█" }.count == lines[0].filter { $0 == "░" }.count)
        #expect(lines[1].contains("·") && lines[1].hasSuffix("2.0 KiB"))
        #expect(lines[2].hasSuffix("0 of 3"))
        board.finish(0, failed: true)
        lines = board.lines(columns: 100)
        #expect(lines.count == 2 && lines[1].hasSuffix("1 of 3, 1 failed"))
    }

    @Test("no line is wider than the terminal", arguments: [10, 40, 80, 200])
    func boardWidth(columns: Int) {
        var board = ProgressBoard(total: 20)
        for id in 0..<12 { board.update(id, name: "a picture with a long name \(id)", received: 9, expected: 10) }
        let lines = board.lines(columns: columns)
        #expect(lines.count == ProgressBoard.maximumBars + 2)
        #expect(lines.allSatisfy { $0.count <= columns })
    }

    @Test("a file is written whole, into folders that were not there, or not at all")
    func outputFile() throws {
        let folder = NSTemporaryDirectory() + "webimage-output-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/a/b/picture.bin"
        try OutputFile.write(Bytes([1, 2, 3]), to: path)
        try OutputFile.write(Bytes([4]), to: path)
        #expect(FileManager.default.contents(atPath: path) == Data([4]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/a/b") == ["picture.bin"])
        let failure = #expect(throws: OutputFile.Failure.self) {
            try OutputFile.write(Bytes([5]), to: path + "/below-a-file")
        }
        #expect(failure?.code == ENOTDIR && failure?.description.hasSuffix("Not a directory") == true)
        let onFolder = #expect(throws: OutputFile.Failure.self) { try OutputFile.write(Bytes([6]), to: folder + "/a") }
        #expect(onFolder?.code == EISDIR)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
    }

    @Test("the table shortens long sources and tells failures in sentences below")
    func loadTable() {
        let source = "https://example.org/" + String(repeating: "long/", count: 30) + "cat.jpg"
        let error = ImageError(
            ImageError.Code(rawValue: "httpStatus"), stage: .fetch, message: "The server answered 404.",
            redactedURL: source, statusCode: 404)
        let lines = LoadTable.lines([LoadRecord(source: source, error: error)], columns: 80)
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("…") && lines[1].contains("long/cat.jpg  failed  httpStatus"))
        #expect(lines[1].count <= 80)
        #expect(lines[2].hasSuffix("long/cat.jpg: The server answered 404."))
    }

    @Test("the table says how right a picture is, and why below its row")
    func reasons() {
        let error = ImageError(.timeout, stage: .fetch, message: "Too slow.", redactedURL: "b")
        var record = LoadRecord(source: "a", error: error)
        record.error = nil
        record.tier = "disk"
        record.freshness = "stale"
        record.why = ["One.", "Two."]
        let lines = LoadTable.lines([record, LoadRecord(source: "b", error: error)], columns: 80)
        #expect(lines.count == 6)
        #expect(lines[1].hasPrefix("a       disk, stale  "))
        #expect(lines[2...3] == ["    One.", "    Two."])
        #expect(lines[4].hasPrefix("b       failed") && lines[5] == "b: Too slow.")
        record.freshness = "fresh"
        #expect(record.origin == "disk")
    }

    @Test(
        "what a terminal would obey is made visible, all else stays",
        arguments: [
            ("Grüße 🌍 \\ \"", "Grüße 🌍 \\ \""), ("\u{1B}[31m", "\\u001b[31m"), ("a\r\nb\t", "a\\u000d\\u000ab\\u0009"),
            ("\u{9B}1m\u{7F}", "\\u009b1m\\u007f"), ("gpj.\u{202E}exe", "gpj.\\u202eexe"), ("", ""),
        ])
    func visible(text: String, expected: String) {
        #expect(text.visible == expected)
        #expect(expected.visible == expected)
    }

    @Test("work that takes long runs a limited number at a time, all of it")
    func limitedQueue() async {
        let queue = LimitedQueue(width: 2)
        let count = Crowd()
        let results = await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await queue.run {
                        count.enter()
                        count.leave()
                        return number
                    }
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(results == Set(0..<200))
        #expect((1...2).contains(count.most))
    }

    @Test("a contact sheet has a cell for each picture, and transparency shows the paper")
    func contactSheet() throws {
        var red = try Bitmap(uninitialized: PixelSize(width: 320, height: 240), format: .rgba8)
        try red.withUnsafeMutableBytes { pixels in
            // Half transparent red, premultiplied.
            for offset in pixels.indices { pixels[offset] = [128, 0, 0, 128][offset % 4] }
        }
        let sheet = try ContactSheet.draw([red, red, red])
        #expect(sheet.size == PixelSize(width: 2 * 336 + 16, height: 2 * 256 + 16))
        sheet.withUnsafeBytes { pixels in
            #expect(Array(pixels[0..<4]) == [48, 50, 54, 255])
            let first = 16 * sheet.bytesPerRow + 16 * 4
            #expect(Array(pixels[first..<first + 4]) == [128 + 24, 25, 27, 255])
            let empty = (16 + 256) * sheet.bytesPerRow + (16 + 336) * 4
            #expect(Array(pixels[empty..<empty + 4]) == [48, 50, 54, 255])
        }
    }
}

/// How many are at one place at a time.
private final class Crowd: Sendable {
    private let state = Mutex((running: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func enter() { state.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1)) } }
    func leave() { state.withLock { $0.running -= 1 } }
}
