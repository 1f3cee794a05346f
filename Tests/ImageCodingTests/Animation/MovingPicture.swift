import ByteBuffers
import Foundation
import ImageCoding
import Pixels
import Testing

/// A moving picture of the folder `animation`, and what other programs make of it.
struct MovingPicture: Sendable, CustomTestStringConvertible {
    let file: String
    var size = PixelSize(width: 26, height: 19)
    /// In milliseconds, after the rule for short delays.
    let durations: [Duration]
    let loopCount: Int
    let isOpaque: Bool
    /// How far a channel may be from the other program's, where half-transparent pixels lie over each other: it rounds
    /// colours that are not multiplied by alpha.
    var tolerance = 0
    /// Where the last frame ends is not known before it is decoded.
    var hasOpenEnd: Bool { file.hasSuffix("jxl") }

    var testDescription: String { file }

    func bytes() throws -> Bytes { Bytes(try Fixture.bytes("animation/\(file)")) }

    func open(_ options: AnimationOptions = AnimationOptions()) throws -> AnimatedImage {
        try CoderRegistry.standard.animation(of: bytes(), options: options)
    }

    /// The rows of each frame.
    func expected() throws -> [[UInt8]] {
        let all = try Fixture.bytes("animation/\(file).rgba")
        let frame = size.width * size.height * 4
        #expect(all.count == frame * durations.count)
        return durations.indices.map { Array(all[$0 * frame..<($0 + 1) * frame]) }
    }

    /// The largest difference of a channel.
    static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        guard first.count == second.count else { return .max }
        return zip(first, second).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    private static func milliseconds(_ delays: Int...) -> [Duration] { delays.map { .milliseconds($0) } }

    static let gifs = [
        MovingPicture(
            file: "keep.gif", durations: milliseconds(100, 100, 100, 20, 3_000), loopCount: 0, isOpaque: true),
        MovingPicture(
            file: "background.gif", durations: milliseconds(100, 100, 100, 100, 100), loopCount: 3, isOpaque: false),
        MovingPicture(
            file: "previous.gif", durations: milliseconds(100, 100, 100, 100, 100, 100, 100), loopCount: 1,
            isOpaque: true),
        MovingPicture(
            file: "mixed.gif", durations: milliseconds(100, 100, 100, 100, 100), loopCount: 2, isOpaque: false),
        MovingPicture(
            file: "outside.gif", size: PixelSize(width: 20, height: 15),
            durations: milliseconds(100, 100, 100, 100, 100),
            loopCount: 1, isOpaque: false),
    ]

    static let pngs = [
        MovingPicture(
            file: "blend.png",
            durations: [.milliseconds(100), .milliseconds(100), .milliseconds(30), .seconds(1) / 3, .seconds(1)],
            loopCount: 0, isOpaque: false, tolerance: 2),
        MovingPicture(
            file: "dispose.png", durations: milliseconds(100, 100, 100, 100, 100, 100), loopCount: 3, isOpaque: false,
            tolerance: 2),
        MovingPicture(
            file: "default.png", durations: milliseconds(100, 100, 100), loopCount: 1, isOpaque: false, tolerance: 2),
        MovingPicture(file: "opaque.png", durations: milliseconds(100, 100, 100), loopCount: 0, isOpaque: true),
        MovingPicture(file: "apngasm.png", durations: milliseconds(80, 80, 80, 80), loopCount: 0, isOpaque: false),
    ]

    static let webps = [
        MovingPicture(
            file: "blend.webp", durations: milliseconds(100, 100, 100, 11, 40), loopCount: 0, isOpaque: false,
            tolerance: 2),
        MovingPicture(
            file: "dispose.webp", durations: milliseconds(100, 100, 100, 100, 100), loopCount: 4, isOpaque: false,
            tolerance: 2),
        MovingPicture(file: "opaque.webp", durations: milliseconds(100, 100, 100), loopCount: 0, isOpaque: true),
        MovingPicture(
            file: "gif2webp.webp", durations: milliseconds(100, 100, 100, 100, 100), loopCount: 2, isOpaque: false),
    ]

    #if AVIF
    static let avifs = [
        MovingPicture(
            file: "keys.avif", durations: milliseconds(100, 100, 11, 250, 1_500, 40, 90), loopCount: 0, isOpaque: false),
        MovingPicture(
            file: "alpha.avif",
            durations: [.seconds(1) / 30, .seconds(2) / 30, .seconds(1) / 30, .seconds(1)], loopCount: 0,
            isOpaque: false),
        MovingPicture(file: "twelve.avif", durations: milliseconds(100, 100, 100), loopCount: 0, isOpaque: false),
        MovingPicture(file: "edits.avif", durations: milliseconds(100, 200, 300), loopCount: 0, isOpaque: true),
    ]
    #else
    static let avifs: [MovingPicture] = []
    #endif

    #if JPEGXL
    static let jxls = [
        // Its second frame is shown for no time.
        MovingPicture(
            file: "blend.jxl", durations: milliseconds(100, 30, 333, 1_000), loopCount: 0, isOpaque: false, tolerance: 1
        ),
        MovingPicture(file: "opaque.jxl", durations: milliseconds(100, 100, 100), loopCount: 0, isOpaque: true),
        MovingPicture(
            file: "gif.jxl", durations: milliseconds(100, 20, 250, 1_500), loopCount: 0, isOpaque: false),
        MovingPicture(
            file: "plays.jxl", durations: milliseconds(100, 20, 250, 1_500, 40, 90, 60), loopCount: 3, isOpaque: true,
            tolerance: 1),
        // djxl writes whole numbers of its own making from floats.
        MovingPicture(
            file: "lossy.jxl", durations: milliseconds(100, 20, 250, 1_500, 40, 90, 60), loopCount: 0, isOpaque: true,
            tolerance: 1),
        MovingPicture(
            file: "container.jxl", durations: milliseconds(100, 20, 250, 1_500, 40, 90, 60), loopCount: 0,
            isOpaque: true, tolerance: 1),
    ]
    #else
    static let jxls: [MovingPicture] = []
    #endif

    static let all = gifs + pngs + webps + avifs + jxls
}
