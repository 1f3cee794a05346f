import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("Writing moving pictures")
struct AnimationEncodingTests {
    private let coders = CoderRegistry.standard

    private static let size = PixelSize(width: 40, height: 30)

    /// A square that moves over a ground of few colours; clear around it when `isOpaque` is false.
    private static func frame(_ index: Int, isOpaque: Bool) throws -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                if (index * 3..<index * 3 + 9).contains(x) && (5..<14).contains(y) {
                    pixels += [240, UInt8(index * 20), 30, 255]
                } else if isOpaque {
                    pixels += [UInt8(x / 8 * 40), UInt8(y / 8 * 50), 90, 255]
                } else {
                    pixels += [0, 0, 0, 0]
                }
            }
        }
        return try Bitmap(size, isOpaque ? .rgbx8 : .rgba8, pixels)
    }

    private static func frames(isOpaque: Bool) throws -> [AnimationFrame] {
        try (0..<6).map {
            AnimationFrame(
                try frame($0, isOpaque: isOpaque), duration: .milliseconds([20, 40, 70, 100, 1_000, 30][$0]))
        }
    }

    private static func meanError(_ first: [UInt8], _ second: [UInt8]) -> Double {
        Double(zip(first, second).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(1, first.count))
    }

    @Test(
        "C223 C224 W040 C222: what is written is what is read: frames, durations and loop count",
        arguments: [ImageFormat.gif, .apng], [true, false])
    func lossless(format: ImageFormat, isOpaque: Bool) throws {
        let frames = try Self.frames(isOpaque: isOpaque)
        for loopCount in [0, 1, 2, 7] {
            let bytes = try coders.encode(FrameSequence(frames, loopCount: loopCount), as: format)
            let animation = try coders.animation(of: bytes)
            #expect(animation.header.format == format)
            #expect(animation.loopCount == loopCount)
            #expect(animation.durations == frames.map(\.duration))
            #expect(animation.isOpaque == isOpaque)
            for index in frames.indices {
                #expect(try animation.frame(at: index).rows.pixels == frames[index].bitmap.rows.pixels, "\(index)")
            }
        }
    }

    @Test("C222: an animated WebP comes close to what was written", arguments: [true, false])
    func webp(isOpaque: Bool) throws {
        let frames = try Self.frames(isOpaque: isOpaque)
        let bytes = try coders.encode(
            FrameSequence(frames, loopCount: 3), as: .animatedWebP, options: EncodeOptions(quality: 95))
        let animation = try coders.animation(of: bytes)
        #expect(animation.header.format == .animatedWebP)
        #expect(animation.loopCount == 3)
        #expect(animation.durations == frames.map(\.duration))
        try #require(animation.frameCount == frames.count)
        for index in frames.indices {
            let frame = try animation.frame(at: index)
            #expect(Self.meanError(frame.rows.pixels, frames[index].bitmap.rows.pixels) < 4, "\(index)")
        }
    }

    @Test("only what changes is stored", arguments: [ImageFormat.gif, .apng])
    func differences(format: ImageFormat) throws {
        let bytes = try coders.encode(FrameSequence(Self.frames(isOpaque: true)), as: format)
        let places = try coders.animation(of: bytes).header.frames.map(\.place)
        #expect(places.first == PixelRect(Self.size))
        // The square moves by three pixels: the old and the new place together.
        #expect(places.dropFirst().map(\.size) == Array(repeating: PixelSize(width: 12, height: 9), count: 5))
    }

    @Test("a frame that is like the one before it stays a frame", arguments: [ImageFormat.gif, .apng])
    func standing(format: ImageFormat) throws {
        let frame = AnimationFrame(try Self.frame(0, isOpaque: true))
        let bytes = try coders.encode(FrameSequence([frame, frame, frame]), as: format)
        let animation = try coders.animation(of: bytes)
        #expect(animation.frameCount == 3)
        #expect(try animation.frame(at: 2).rows.pixels == frame.bitmap.rows.pixels)
    }

    @Test("a GIF of many colours gets those that fit best", arguments: [true, false])
    func quantized(isDithered: Bool) throws {
        let size = PixelSize(width: 64, height: 64)
        var pixels: [UInt8] = []
        for y in 0..<64 { for x in 0..<64 { pixels += [UInt8(x * 4), UInt8(y * 4), UInt8((x + y) * 2), 255] } }
        let bitmap = try Bitmap(size, .rgbx8, pixels)
        let bytes = try GIFEncoder(isDithered: isDithered).encode(bitmap, as: .gif, options: EncodeOptions())
        let decoded = try coders.decode(bytes).rows.pixels
        // 4,096 colours in 256: a few steps of each channel.
        #expect(Self.meanError(decoded, pixels) < 5)
        #expect(MovingPicture.distance(decoded, pixels) < 48)
        let mean = { (rows: [UInt8], channel: Int) in
            stride(from: channel, to: rows.count, by: 4).reduce(0) { $0 + Int(rows[$1]) } / (64 * 64)
        }
        for channel in 0..<3 { #expect(abs(mean(decoded, channel) - mean(pixels, channel)) <= 1) }
    }

    @Test("short GIF delays are told so that browsers keep them, and what is rounded does not add up")
    func gifClock() throws {
        let bitmap = try Self.frame(0, isOpaque: true)
        let frames = Array(repeating: AnimationFrame(bitmap, duration: .seconds(1) / 30), count: 60)
        let animation = try coders.animation(of: coders.encode(FrameSequence(frames), as: .gif))
        #expect(animation.durations.reduce(.zero, +) == .seconds(2))
        #expect(Set(animation.durations) == [.milliseconds(30), .milliseconds(40)])
        let fast = Array(repeating: AnimationFrame(bitmap, duration: .milliseconds(1)), count: 3)
        let slowed = try coders.animation(of: coders.encode(FrameSequence(fast), as: .gif))
        #expect(slowed.durations == Array(repeating: .milliseconds(20), count: 3))
    }

    @Test("long and odd durations of an APNG are as near as the format can say")
    func apngClock() throws {
        let bitmap = try Self.frame(0, isOpaque: true)
        let frames = [Duration.seconds(65), .seconds(100.1), .seconds(7_000), .seconds(1_000_000), .zero - .seconds(5)]
            .map { AnimationFrame(bitmap, duration: $0) }
        let animation = try coders.animation(of: coders.encode(FrameSequence(frames), as: .apng))
        #expect(
            animation.durations == [
                .seconds(65), .seconds(1_001) / 10, .seconds(7_000), .seconds(65_535), .milliseconds(100),
            ])
    }

    @Test("one format becomes another, frame by frame", arguments: MovingPicture.gifs, [ImageFormat.apng, .gif])
    func conversion(picture: MovingPicture, format: ImageFormat) throws {
        let source = try picture.open()
        let copy = try coders.animation(of: coders.encode(FrameSequence(source), as: format))
        #expect(copy.durations == source.durations && copy.loopCount == source.loopCount)
        let expected = try picture.expected()
        for index in expected.indices { #expect(try copy.frame(at: index).rows.pixels == expected[index]) }
    }

    @Test(
        "frames that cannot be encoded are typed errors", arguments: [ImageFormat.gif, .apng, .animatedWebP])
    func refused(format: ImageFormat) throws {
        let small = try Bitmap(PixelSize(width: 1, height: 1), .rgbx8, [1, 2, 3, 255])
        let gray = try Bitmap(
            uninitialized: Self.size, format: PixelFormat(channels: .gray, component: .uint8, alpha: .opaque))
        let good = AnimationFrame(try Self.frame(0, isOpaque: true))
        for (frames, code) in [
            ([], CodingError.Code.encodingFailed), ([good, AnimationFrame(small)], .encodingFailed),
            ([AnimationFrame(gray)], .unsupportedFeature),
        ] {
            let error = #expect(throws: CodingError.self) { try coders.encode(FrameSequence(frames), as: format) }
            #expect(error?.code == code)
        }
        let error = #expect(throws: CodingError.self) { try coders.encode(FrameSequence([good]), as: .jpeg) }
        #expect(error?.code == .unsupportedFormat)
    }
}
