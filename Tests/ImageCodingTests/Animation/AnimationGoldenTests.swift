import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("Moving pictures as other programs compose them")
struct AnimationGoldenTests {
    @Test("C193 S092 C192: every frame has the pixels that other programs show", arguments: MovingPicture.all)
    func frames(picture: MovingPicture) throws {
        let animation = try picture.open()
        let expected = try picture.expected()
        try #require(animation.frameCount == expected.count)
        for index in expected.indices {
            let frame = try animation.frame(at: index)
            #expect(frame.size == picture.size)
            #expect(frame.format == (picture.isOpaque ? .rgbx8 : .rgba8))
            let distance = MovingPicture.distance(frame.rows.pixels, expected[index])
            #expect(distance <= picture.tolerance, "frame \(index)")
        }
        #expect(animation.header.isComplete)
    }

    @Test("C217 C218 C219 C221 P27: durations and loop counts are what the file says", arguments: MovingPicture.all)
    func timing(picture: MovingPicture) throws {
        let animation = try picture.open()
        #expect(animation.durations == picture.durations)
        #expect(animation.loopCount == picture.loopCount)
        #expect(animation.size == picture.size)
    }

    @Test("the first frame is what the still decoder shows", arguments: MovingPicture.all)
    func first(picture: MovingPicture) throws {
        // The default picture of this one is not part of its animation.
        guard picture.file != "default.png" else { return }
        let still = try CoderRegistry.standard.decode(picture.bytes())
        #expect(try picture.open().frame(at: 0).rows.pixels == still.rows.pixels)
    }
}
