import Foundation
import Pixels
import Testing
import WebImageTesting

@testable import ImageProcessing

/// Hashes beside those of Wolt's own C code and of thumbhash-python; Fixtures/make_golden_steps.py made them.
@Suite struct PlaceholderTests {
    private struct Hashes: Decodable {
        struct Blur: Decodable {
            let across: Int
            let down: Int
            let text: String
        }
        struct Thumb: Decodable {
            let name: String
            let base64: String
        }
        let average: [UInt8]
        let dominant: [UInt8]
        let blur: [Blur]
        let thumb: [Thumb]
    }

    private func hashes() throws -> Hashes {
        let url = Bundle.module.bundleURL.appending(path: "Fixtures/hashes.json")
        return try JSONDecoder().decode(Hashes.self, from: Data(contentsOf: url))
    }

    private func opaque() throws -> Bitmap {
        let source = try Bitmap.golden("source")
        let pixels = source.pixels
        return try Bitmap(source.width, source.height, format: .rgbx8) { x, y in
            let at = (y * source.width + x) * 4
            return (pixels[at], pixels[at + 1], pixels[at + 2], 255)
        }
    }

    @Test("BlurHash: the text of Wolt's encoder, the pixels of its decoder")
    func blurHash() throws {
        let source = try opaque()
        for golden in try hashes().blur {
            let made = try BlurHash(of: source, across: golden.across, down: golden.down)
            #expect(made.text == golden.text)
            let read = try BlurHash(golden.text)
            #expect(read == made && read.across == golden.across && read.down == golden.down)
            let wanted = try Bitmap.golden("blurhash-\(golden.across)x\(golden.down)")
            let shown = try read.bitmap(size: wanted.size)
            #expect(shown.format == .rgbx8 && distance(shown, wanted).most <= 1)
        }
        let flat = try BlurHash(hashes().blur[1].text)
        #expect(try flat.bitmap(size: PixelSize(width: 1, height: 1)).color(x: 0, y: 0) == flat.averageColor)
        let plain = try BlurHash(hashes().blur[0].text).bitmap(size: PixelSize(width: 9, height: 7), punch: 0)
        #expect(Set(try #require(try plain.colors(in: PixelRect(plain.size)))).count == 1)
    }

    @Test("ThumbHash: the bytes and the pixels of another implementation")
    func thumbHash() throws {
        let golden = try Bitmap.golden("source")
        let colors = try #require(try golden.colors(in: PixelRect(golden.size)))
        // As that one was given it: straight, in bytes.
        let straight = PixelFormat(channels: .rgba, component: .uint8, alpha: .straight)
        let source = try Bitmap(golden.width, golden.height, format: straight) { x, y in
            let color = colors[y * golden.width + x]
            return (color.red, color.green, color.blue, color.alpha)
        }
        let pictures = [
            "opaque": try opaque(), "alpha": source,
            "tall": try source.cropped(to: PixelRect(x: 30, y: 0, width: 36, height: 61)),
        ]
        for golden in try hashes().thumb {
            let picture = try #require(pictures[golden.name])
            let hash = try ThumbHash(base64: golden.base64)
            // A wave that is not there is half of the way up, which rounds to either side.
            let made = try ThumbHash(of: picture).bytes.flatMap { [$0 & 15, $0 >> 4] }
            let wanted = hash.bytes.flatMap { [$0 & 15, $0 >> 4] }
            let others = zip(made, wanted).filter { $0 != $1 }
            #expect(made.count == wanted.count && others.count <= 1, "\(golden.name): \(others)")
            #expect(others.allSatisfy { Set([$0, $1]) == [7, 8] })
            #expect(hash.base64 == golden.base64 && hash.hasAlpha == (golden.name != "opaque"))
            let decoded = try Bitmap.golden("thumbhash-\(golden.name)")
            let shown = try hash.bitmap()
            #expect(shown.size == decoded.size && distance(shown, decoded).most <= 1, "\(golden.name)")
            let shape = Double(picture.width) / Double(picture.height)
            #expect(abs(hash.aspectRatio - shape) / shape < 0.25)
            let mean = try picture.averageColor()
            #expect(abs(Int(hash.averageColor.green) - Int(mean.green)) < 12)
        }
    }

    @Test("P39: hashes of every format and size, of nothing but transparency, and of large pictures")
    func formats() throws {
        for format in PixelFormat.all {
            for (width, height) in [(1, 1), (1, 150), (300, 7)] {
                let bitmap = try Bitmap.sample(width, height, format)
                let blur = try BlurHash(of: bitmap, across: 9, down: 9)
                #expect(blur.text.utf8.count == 4 + 2 * 81)
                // The mean of light, not of stored values, so it is the brighter one.
                let (mean, read) = (try bitmap.averageColor(), blur.averageColor)
                if format.isOpaque { #expect(Int(read.green) >= Int(mean.green) - 2) }
                let thumb = try ThumbHash(of: bitmap)
                #expect(try thumb.bitmap(longestSide: 100).format == (thumb.hasAlpha ? .rgba8 : .rgbx8))
            }
        }
        let clear = try Bitmap(20, 10) { _, _ in (0, 0, 0, 0) }
        let hash = try ThumbHash(of: clear)
        let shown = try hash.bitmap()
        #expect(hash.averageColor == .clear && shown.pixels.allSatisfy { $0 == 0 })
        #expect(try BlurHash(of: clear).averageColor == .white)
        #expect(try clear.dominantColor() == nil)
        // More pixels of one colour than a sum of 24 bits could tell apart.
        let flat = try Bitmap(3_000, 3_000, format: .rgbx8) { _, _ in (200, 200, 200, 255) }
        #expect(try flat.dominantColor() == PixelColor(red: 200, green: 200, blue: 200))
        #expect(try clear.averageColor() == .clear)
    }

    @Test("P39: damaged hashes are errors that say so, and never traps")
    func damage() throws {
        let good = try hashes().blur[0].text
        let bad =
            [
                "", "L", "00000", "é" + good.dropFirst(), good + "0", String(good.dropLast()), "~" + good.dropFirst(),
                "\u{0}00000",
            ]
            + ["00~~~~", "L%GrBI~~#-ShoTbFbFa#j|j^a}a{"]
        for text in bad {
            #expect(throws: ProcessingError.self, "\(text)") { try BlurHash(text) }
        }
        for text in ["", "A", "====", "AAAAA===", "!!!!", "AAAAAB==", "lbYOZJpwd4eNd3eJeImFgAaIhw==A"] {
            #expect(throws: ProcessingError.self, "\(text)") { try ThumbHash(base64: text) }
        }
        var random = SeededGenerator(seed: 3)
        let bytes = try ThumbHash(base64: hashes().thumb[1].base64).bytes
        var read = 0
        for _ in 0..<3_000 {
            var damaged = bytes
            damaged[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            if Bool.random(using: &random) {
                damaged = Array(damaged.prefix(.random(in: 0...bytes.count, using: &random)))
            }
            do {
                let hash = try ThumbHash(bytes: damaged)
                _ = try hash.bitmap(longestSide: 8)
                let again = try ThumbHash(base64: hash.base64)
                #expect(hash.bytes == damaged && again == hash)
                read += 1
            } catch { #expect((error as? ProcessingError)?.code == .invalidHash) }
        }
        #expect((1..<3_000).contains(read))
        let hash = try BlurHash(good)
        for size in [
            PixelSize(width: 0, height: 1), PixelSize(width: 70_000, height: 1), PixelSize(width: .max, height: .max),
        ] {
            #expect(throws: ProcessingError.self) { try hash.bitmap(size: size) }
        }
        #expect(throws: ProcessingError.self) { try hash.bitmap(size: PixelSize(width: 3, height: 3), punch: .nan) }
        #expect(throws: ProcessingError.self) { try ThumbHash(bytes: bytes).bitmap(longestSide: 0) }
        for waves in [0, -1, 10, .max] {
            #expect(throws: ProcessingError.self) { try BlurHash(of: Bitmap.noise(3, 3), across: waves) }
        }
    }

    @Test("The mean colour, and the one that most of the picture has, as NumPy counts them")
    func summary() throws {
        let hashes = try hashes()
        let average = try Bitmap.golden("source").averageColor()
        #expect([average.red, average.green, average.blue, average.alpha] == hashes.average)
        let dominant = try #require(try opaque().dominantColor())
        #expect([dominant.red, dominant.green, dominant.blue, dominant.alpha] == hashes.dominant + [255])
    }
}
