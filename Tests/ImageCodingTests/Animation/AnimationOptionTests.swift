#if GIF && JPEG && PNG && WebP
import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("Encode options of moving pictures")
struct AnimationOptionTests {
    private let coders = CoderRegistry.standard

    static let formats: [ImageFormat] = [.gif, .apng, .animatedWebP]

    /// A smooth slope whose colours move from frame to frame.
    private static func frames(isOpaque: Bool = true) throws -> FrameSequence {
        let size = PixelSize(width: 60, height: 40)
        return try FrameSequence(
            (0..<4).map { index in
                var pixels: [UInt8] = []
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        pixels += [UInt8(x * 4), UInt8(y * 6), UInt8((x * y + index * 30) & 0xFF), 255]
                    }
                }
                return AnimationFrame(
                    try Bitmap(size, isOpaque ? .rgbx8 : .rgba8, pixels), duration: .milliseconds(40 * (index + 1)))
            }, loopCount: 3)
    }

    @Test("C211 C222: frames are made smaller until they fit, in their own shape", arguments: formats)
    func maximumPixelSize(format: ImageFormat) throws {
        let options = EncodeOptions(
            quality: 90, isLossless: true, maximumPixelSize: PixelSize(width: 30, height: 300))
        let animation = try coders.animation(of: coders.encode(Self.frames(), as: format, options: options))
        #expect(animation.size == PixelSize(width: 30, height: 20))
        #expect(animation.frameCount == 4 && animation.loopCount == 3)
        #expect(animation.durations == [40, 80, 120, 160].map { .milliseconds($0) })
        // Pixels are the means of those under them: 0, 4, 0, 4 of red, whatever the palette makes of them.
        let first = try animation.frame(at: 0).rows.pixels
        #expect(abs(Int(first[0]) - 2) <= (format == .gif ? 24 : 0))
        let larger = EncodeOptions(maximumPixelSize: PixelSize(width: 600, height: 600))
        #expect(try coders.animation(of: coders.encode(Self.frames(), as: format, options: larger)).size.width == 60)
    }

    @Test("C212 C222: the file is no larger than it may be, all frames in it", arguments: formats)
    func maximumBytes(format: ImageFormat) throws {
        let plain = try coders.encode(Self.frames(), as: format, options: EncodeOptions(quality: 90)).count
        for share in [2, 4] {
            let limit = plain / share
            let bytes = try coders.encode(
                Self.frames(), as: format, options: EncodeOptions(quality: 90, maximumBytes: limit))
            #expect(bytes.count <= limit && bytes.count > limit / 4, "\(bytes.count) of \(limit)")
            let animation = try coders.animation(of: bytes)
            #expect(animation.frameCount == 4 && animation.loopCount == 3)
            // Less quality before fewer pixels, where there is such a thing.
            if format == .animatedWebP, share == 2 { #expect(animation.size.width == 60) }
            if format != .animatedWebP { #expect(animation.size.width < 60) }
        }
        let same = try coders.encode(
            Self.frames(), as: format, options: EncodeOptions(quality: 90, maximumBytes: plain))
        #expect(same.count == plain)
        let error = #expect(throws: CodingError.self) {
            try coders.encode(Self.frames(), as: format, options: EncodeOptions(maximumBytes: 20))
        }
        #expect(error?.code == .tooManyBytes)
    }

    @Test("C211 C212: both limits hold together", arguments: formats)
    func bothLimits(format: ImageFormat) throws {
        let options = EncodeOptions(maximumPixelSize: PixelSize(width: 40, height: 40), maximumBytes: 2_000)
        let bytes = try coders.encode(Self.frames(), as: format, options: options)
        let size = try coders.animation(of: bytes).size
        #expect(bytes.count <= 2_000 && size.width <= 40 && size.width > size.height)
    }

    @Test("P24 P33: metadata is kept on request, upright; stripped by default", arguments: formats)
    func metadata(format: ImageFormat) throws {
        let source = try Fixture.bytes("metadata/both.jpg").withUnsafeBytes { try JPEGDecoder().metadata(of: $0) }
        let bytes = try coders.encode(Self.frames(), as: format, options: EncodeOptions(metadata: source))
        let found = try bytes.withUnsafeBytes { try coders.metadata(of: $0) }
        let xmp = try #require(found.xmp)
        #expect(xmp.count == source.xmp?.count)
        #expect(String(decoding: xmp.array, as: UTF8.self).contains("A title"))
        #expect(ImageMetadata(xmp: xmp).orientation == .up)
        if format == .gif {
            #expect(found.exif == nil, "there is no place for it")
        } else {
            let exif = try #require(found.exif)
            #expect(String(decoding: exif.array, as: UTF8.self).contains("A painter"))
            #expect(ImageMetadata(exif: exif).orientation == .up)
        }
        // The pixels do not change for it.
        let plain = try coders.encode(Self.frames(), as: format)
        #expect(try plain.withUnsafeBytes { try coders.metadata(of: $0) }.isEmpty)
        let (with, without) = try (coders.animation(of: bytes), coders.animation(of: plain))
        #expect(with.header == without.header && with.header.orientation == .up)
        for index in 0..<4 { #expect(try with.frame(at: index).rows == without.frame(at: index).rows) }
    }

    @Test("P33: metadata of an APNG stands in the file once")
    func once() throws {
        let source = try Fixture.bytes("metadata/both.jpg").withUnsafeBytes { try JPEGDecoder().metadata(of: $0) }
        let bytes = try coders.encode(Self.frames(), as: .apng, options: EncodeOptions(metadata: source)).array
        #expect(bytes.ranges(of: Array("A painter".utf8)).count == 1)
        #expect(bytes.ranges(of: Array("A title".utf8)).count == 1)
    }

    @Test("colours that are not sRGB are named", arguments: [ImageFormat.apng, .animatedWebP])
    func profile(format: ImageFormat) throws {
        let source = try Fixture.bytes("color/p3.jpg").withUnsafeBytes { try JPEGDecoder().info(of: $0).color }
        let bytes = try coders.encode(Self.frames(), as: format, options: EncodeOptions(color: source))
        let found = try bytes.withUnsafeBytes { try coders.info(of: $0) }.color
        guard case .icc(let kept) = found, case .icc(let wanted) = source else {
            Issue.record("no profile: \(found)")
            return
        }
        #expect(kept.bytes == wanted.bytes)
    }

    @Test("a frame of another size is refused also where frames are made smaller")
    func misfit() throws {
        let small = try Bitmap(PixelSize(width: 3, height: 2), .rgbx8, Array(repeating: 255, count: 24))
        let large = try Self.large()
        let frames = FrameSequence([AnimationFrame(large), AnimationFrame(small)])
        let options = EncodeOptions(maximumPixelSize: PixelSize(width: 3, height: 2))
        let error = #expect(throws: CodingError.self) { try coders.encode(frames, as: .gif, options: options) }
        #expect(error?.code == .encodingFailed && error?.message.contains("Frame 1") == true)
    }

    private static func large() throws -> Bitmap {
        try Bitmap(PixelSize(width: 6, height: 4), .rgbx8, Array(repeating: 90, count: 96))
    }

    @Test("an XMP packet of any length and content comes back from a GIF, unless it holds a zero")
    func packets() throws {
        var numbers = SeededNumbers(seed: 3)
        for length in [1, 2, 60, 254, 255, 256, 257, 258, 511, 1_000, 5_000] {
            let packet = (0..<length).map { _ in UInt8.random(in: 1...255, using: &numbers) }
            let bytes = try coders.encode(
                Self.frames(), as: .gif, options: EncodeOptions(metadata: ImageMetadata(xmp: Bytes(packet))))
            let found = try bytes.withUnsafeBytes { try coders.metadata(of: $0) }
            #expect(found.xmp?.array == packet, "\(length)")
            #expect(try coders.animation(of: bytes).frameCount == 4)
        }
        let broken = EncodeOptions(metadata: ImageMetadata(xmp: Bytes([60, 0, 62])))
        let bytes = try coders.encode(Self.frames(), as: .gif, options: broken)
        #expect(try bytes.withUnsafeBytes { try coders.metadata(of: $0) }.isEmpty)
    }
}
#endif
