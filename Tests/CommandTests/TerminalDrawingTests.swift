import Foundation
import ServerSupport
import Testing
import WebImage

@testable import WebImageCommand

/// Pictures as text for terminals, read back by other programs where there are any.
@Suite struct TerminalDrawingTests {
    private func bitmap(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) throws -> Bitmap {
        var bitmap = try Bitmap(uninitialized: PixelSize(width: width, height: height), format: .rgba8)
        let stride = bitmap.bytesPerRow
        try bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    for (channel, value) in pixel(x, y).enumerated() { bytes[y * stride + x * 4 + channel] = value }
                }
            }
        }
        return bitmap
    }

    @Test("two pixels stand in a character; what is transparent is left to the terminal")
    func blocks() throws {
        let red: [UInt8] = [255, 0, 0, 255]
        let half: [UInt8] = [0, 64, 0, 128]
        let none: [UInt8] = [0, 0, 0, 0]
        let rows = [[red, none, red, none], [half, half, none, none], [red, red, none, red]]
        let picture = try bitmap(4, 3) { rows[$1][$0] }
        let text = BlockPicture.text(picture, hasTrueColor: true)
        let lines = text.split(separator: "\n")
        #expect(
            lines == [
                "\u{1B}[38;2;255;0;0;48;2;0;128;0m▀\u{1B}[0;38;2;0;128;0m▄\u{1B}[0;38;2;255;0;0m▀\u{1B}[0m \u{1B}[0m",
                "\u{1B}[0;38;2;255;0;0m▀▀\u{1B}[0m \u{1B}[0;38;2;255;0;0m▀\u{1B}[0m",
            ])
    }

    @Test(
        "without 24 bits colours are the nearest of xterm's",
        arguments: [
            ([255, 0, 0], 196), ([0, 0, 0], 16), ([255, 255, 255], 231), ([128, 128, 128], 244), ([95, 135, 175], 67),
            ([8, 8, 8], 232), ([238, 238, 238], 255),
        ] as [([UInt8], Int)])
    func palette(color: [UInt8], number: Int) throws {
        let text = BlockPicture.text(try bitmap(1, 1) { _, _ in color + [255] }, hasTrueColor: false)
        #expect(text == "\u{1B}[0;38;5;\(number)m▀\u{1B}[0m\n")
    }

    @Test("sixels are read by libsixel as the pixels that they were", arguments: [(1, 1), (17, 13), (40, 6), (33, 31)])
    func sixels(width: Int, height: Int) async throws {
        let picture = try bitmap(width, height) { x, y in
            [UInt8(x * 6 % 256), UInt8(y * 8 % 256), UInt8((x / 8 + y / 8) % 2 * 255), 255]
        }
        let decoded = try await decodeSixels(try SixelPicture.text(picture))
        #expect(decoded.size == picture.size)
        // Each part of a colour is sent as hundredths, and beyond 256 colours the nearest is taken.
        let differences = zip(Pictures.pixels(decoded), Pictures.pixels(picture)).map { abs(Int($0) - Int($1)) }
        let mean = Double(differences.reduce(0, +)) / Double(differences.count)
        #expect(mean < (width * height > 256 ? 6 : 2) && (differences.max() ?? 0) <= (width * height > 256 ? 48 : 3))
    }

    private func decodeSixels(_ text: String) async throws -> Bitmap {
        let folder = try ScratchFolder()
        let (input, output) = (folder.path("picture.six"), folder.path("picture.png"))
        try Data(text.utf8).write(to: URL(filePath: input))
        let program = try ChildProcess(URL(filePath: "/usr/bin/env"), ["sixel2png", "-i", input, "-o", output])
        #expect(await program.end().code == 0)
        let bytes = Bytes(Array(try Data(contentsOf: URL(filePath: output))))
        return try CoderRegistry.standard.decode(bytes)
    }

    @Test("a PNG goes to kitty in pieces of 4,096 characters that are the PNG", arguments: [1, 3_072, 3_073, 10_000])
    func kitty(count: Int) throws {
        let png = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let text = KittyPicture.text(png: png)
        #expect(text.hasSuffix("\u{1B}\\\n"))
        let commands = text.dropLast(3).components(separatedBy: "\u{1B}\\").map { $0.dropFirst(3) }
        #expect(commands.count == (count * 4 / 3 + 4_095) / 4_096)
        var collected = ""
        for (index, command) in commands.enumerated() {
            let parts = command.split(separator: ";", maxSplits: 1)
            let isLast = index == commands.count - 1
            #expect(parts.first == (index == 0 ? "a=T,f=100,q=2,m=\(isLast ? 0 : 1)" : "m=\(isLast ? 0 : 1)"))
            let piece = parts.last ?? ""
            #expect(piece.count <= 4_096 && (isLast || piece.count % 4 == 0))
            collected += piece
        }
        #expect(Data(base64Encoded: collected) == png)
    }
}
