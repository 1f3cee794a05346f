import Foundation
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
