#if AVIF
import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("AVIF sequences")
struct AVIFSequenceTests {
    /// Frames 0, 3 and 6 are key frames.
    private let keys = MovingPicture.avifs[0]

    @Test("P26: frames in any order are those of playing from the start", arguments: MovingPicture.avifs)
    func anyOrder(picture: MovingPicture) throws {
        // Nothing is kept, so that every frame comes from the library.
        let animation = try picture.open(AnimationOptions(keptBytes: 0))
        let expected = try picture.expected()
        var numbers = SeededNumbers(seed: 11)
        for _ in 0..<40 {
            let index = expected.indices.randomElement(using: &numbers) ?? 0
            #expect(try animation.frame(at: index).rows.pixels == expected[index], "frame \(index)")
        }
    }

    @Test("P26: the next frame costs one decode, a jump those from the nearest key frame on")
    func leastDecoding() throws {
        let animation = try keys.open(AnimationOptions(keptBytes: 0))
        // Asked once before the walk, once before each frame that libavif decodes, and a few times for the rows.
        func questions(_ index: Int) throws -> Int {
            let count = CallCounter()
            _ = try animation.frame(at: index) {
                count.add()
                return true
            }
            return count.value
        }
        let first = try questions(0)
        let next = try questions(1)
        #expect(next == first)
        #expect(try questions(2) == next && questions(3) == next)
        // From 3 again: a key frame.
        #expect(try questions(0) == first)
        // 3, 4 and 5.
        #expect(try questions(5) == first + 2)
        #expect(try questions(6) == first)
        #expect(try questions(4) == first + 1)
    }

    @Test("C217 C219: an edit list says how often the track plays: so long, without end, once")
    func loops() throws {
        let picture = try #require(MovingPicture.avifs.last)
        let bytes = try picture.bytes().array
        let header = try #require(bytes.firstRange(of: Array("tkhd".utf8))).upperBound
        let edits = try #require(bytes.firstRange(of: Array("elst".utf8))).upperBound
        func loopCount(flags: UInt8, duration: [UInt8]) throws -> Int {
            var changed = bytes
            changed[edits + 3] = flags
            changed.replaceSubrange(header + 28..<header + 36, with: duration)
            return try CoderRegistry.standard.animation(of: Bytes(changed)).loopCount
        }
        // The edit lasts 600 ticks.
        #expect(try loopCount(flags: 1, duration: [0, 0, 0, 0, 0, 0, 0x07, 0x08]) == 3)
        #expect(try loopCount(flags: 1, duration: [0, 0, 0, 0, 0, 0, 0x07, 0x09]) == 4)
        #expect(try loopCount(flags: 1, duration: Array(repeating: 0xFF, count: 8)) == 0)
        #expect(try loopCount(flags: 0, duration: Array(repeating: 0xFF, count: 8)) == 1)
        #expect(try loopCount(flags: 1, duration: Array(repeating: 0, count: 8)) == 0)
    }

    // libavif throws the picture away that it had before: the address sanitizer sees who still reads it.
    @Test("P26: a damaged frame is an error, and so are those drawn on it, and no others")
    func damagedFrame() throws {
        var bytes = try keys.bytes().array
        func field(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        // All frames are in one chunk (ISO/IEC 14496-12 §8.7.3 and 8.7.5).
        let sizes = try #require(bytes.firstRange(of: Array("stsz".utf8))).upperBound + 12
        let chunks = try #require(bytes.firstRange(of: Array("stco".utf8))).upperBound
        try #require(field(chunks + 4) == 1)
        let third = (0..<3).reduce(field(chunks + 8)) { $0 + field(sizes + 4 * $1) }
        for offset in third..<third + field(sizes + 12) { bytes[offset] = 0xFF }

        let animation = try CoderRegistry.standard.animation(of: Bytes(bytes), options: AnimationOptions(keptBytes: 0))
        let expected = try keys.expected()
        for index in [3, 0, 3, 1, 4, 2, 5, 6, 3, 6, 5, 0] {
            if (3...5).contains(index) {
                #expect(throws: CodingError.self, "frame \(index)") { try animation.frame(at: index) }
            } else {
                #expect(try animation.frame(at: index).rows.pixels == expected[index], "frame \(index)")
            }
        }
    }

    @Test("F12: a table that claims millions of frames is a typed error")
    func bomb() throws {
        var bytes = try keys.bytes().array
        // Sizes of samples (ISO/IEC 14496-12 §8.7.3): one size for all of them, and so many.
        let sizes = try #require(bytes.firstRange(of: Array("stsz".utf8))).upperBound + 4
        bytes.replaceSubrange(sizes..<sizes + 8, with: [0, 0, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF])
        // All in one chunk (§8.7.4).
        let chunks = try #require(bytes.firstRange(of: Array("stsc".utf8))).upperBound + 8
        bytes.replaceSubrange(chunks + 4..<chunks + 8, with: [0x7F, 0xFF, 0xFF, 0xFF])
        let error = #expect(throws: CodingError.self) { try CoderRegistry.standard.animation(of: Bytes(bytes)) }
        #expect(error?.code == .tooManyFrames)
        // A number that libavif still lists is held to the caller's limit.
        bytes.replaceSubrange(sizes + 4..<sizes + 8, with: [0, 0, 0x75, 0x30])
        bytes.replaceSubrange(chunks + 4..<chunks + 8, with: [0, 0, 0x75, 0x30])
        let listed = #expect(throws: CodingError.self) { try CoderRegistry.standard.animation(of: Bytes(bytes)) }
        #expect(listed?.code == .tooManyFrames)
    }

    @Test("C217: frames behind the last run of durations are shown as long as those in it; no clock means as usual")
    func runs() throws {
        var bytes = try keys.bytes().array
        let runs = try #require(bytes.firstRange(of: Array("stts".utf8))).upperBound
        // Five of seven.
        bytes[runs + 7] = 5
        func durations() throws -> [Duration] { try CoderRegistry.standard.animation(of: Bytes(bytes)).durations }
        #expect(try durations() == [100, 100, 11, 250, 1_500, 1_500, 1_500].map { .milliseconds($0) })
        let clock = try #require(bytes.firstRange(of: Array("mdhd".utf8))).upperBound
        let offset = clock + (bytes[clock] == 1 ? 20 : 12)
        bytes.replaceSubrange(offset..<offset + 4, with: [0, 0, 0, 0])
        #expect(try durations() == Array(repeating: .milliseconds(100), count: 7))
    }

    @Test("a still AVIF is one frame that does not move")
    func still() throws {
        let animation = try CoderRegistry.standard.animation(of: Bytes(Fixture.bytes("avif/alpha.avif")))
        #expect(animation.frameCount == 1 && !animation.isMoving && animation.header.isComplete)
        #expect(try animation.frame(at: 0).rows.pixels == Fixture.bytes("avif/alpha.rgba"))
    }

    @Test("P24: a crop and a turn of the container are applied to frames too")
    func turned() throws {
        let bytes = Bytes(try Fixture.bytes("avif/cropped-turned.avif"))
        let animation = try CoderRegistry.standard.animation(of: bytes)
        #expect(animation.size == PixelSize(width: 16, height: 20))
        let still = try AVIFDecoder().decode(bytes.array)
        let bitmap = try Bitmap(still.size, still.format, still.pixels).oriented(by: .left)
        #expect(try animation.frame(at: 0).rows.pixels == bitmap.rows.pixels)
    }

    @Test("a frame that was broken off does not spoil those that follow")
    func cancellation() throws {
        let animation = try keys.open(AnimationOptions(keptBytes: 0))
        let expected = try keys.expected()
        let count = CallCounter()
        let error = #expect(throws: CodingError.self) {
            try animation.frame(at: 2) {
                count.add()
                return count.value < 4
            }
        }
        #expect(error?.code == .cancelled)
        for index in [2, 1, 5, 0] { #expect(try animation.frame(at: index).rows.pixels == expected[index]) }
    }
}
#endif
