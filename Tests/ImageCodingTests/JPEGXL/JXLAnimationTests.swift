#if JPEGXL
import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("Moving JPEG XL")
struct JXLAnimationTests {
    @Test("P26: frames in any order are those of playing from the start", arguments: MovingPicture.jxls)
    func anyOrder(picture: MovingPicture) throws {
        // Nothing is kept, so that every frame comes from the library.
        let animation = try picture.open(AnimationOptions(keptBytes: 0))
        let expected = try picture.expected()
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<60 {
            let index = expected.indices.randomElement(using: &numbers) ?? 0
            let distance = try MovingPicture.distance(animation.frame(at: index).rows.pixels, expected[index])
            #expect(distance <= picture.tolerance, "frame \(index)")
        }
    }

    @Test("a frame that cannot be decoded does not spoil the others")
    func damaged() throws {
        let picture = try #require(MovingPicture.jxls.first { $0.file == "lossy.jxl" })
        let bytes = try picture.bytes()
        // The last frame is cut, which shows when it is decoded.
        let animation = try CoderRegistry.standard.animation(
            of: bytes[0..<bytes.count - 20], options: AnimationOptions(keptBytes: 0))
        let expected = try picture.expected()
        try #require(animation.frameCount == expected.count)
        for index in [6, 2, 6, 5, 0] {
            if index == 6 {
                let error = #expect(throws: CodingError.self) { try animation.frame(at: index) }
                // libjxl calls some files damaged that only end early.
                #expect(error.map { [.truncated, .malformed].contains($0.code) } == true)
            } else {
                let distance = try MovingPicture.distance(animation.frame(at: index).rows.pixels, expected[index])
                #expect(distance <= 1, "frame \(index)")
            }
        }
    }

    @Test("a still JPEG XL is one frame that does not move")
    func still() throws {
        let bytes = Bytes(try Fixture.bytes("jxl/lossless.jxl"))
        let animation = try CoderRegistry.standard.animation(of: bytes)
        #expect(animation.frameCount == 1 && !animation.isMoving && animation.header.isComplete)
        #expect(try animation.frame(at: 0).rows.pixels == Fixture.bytes("jxl/lossless.rgba"))
    }

    @Test("P24: the header's orientation is applied to frames", arguments: [3, 6])
    func orientation(value: Int) throws {
        let bytes = Bytes(try Fixture.bytes("orientation/\(value).jxl"))
        let still = try CoderRegistry.standard.decode(bytes)
        #expect(try CoderRegistry.standard.animation(of: bytes).frame(at: 0).rows == still.rows)
    }
}
#endif
