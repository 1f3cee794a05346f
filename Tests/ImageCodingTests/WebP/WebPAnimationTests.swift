import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("WebP animation")
struct WebPAnimationTests {
    private let picture = MovingPicture.webps[1]

    /// Where each chunk of the container starts.
    private func chunks(_ bytes: [UInt8]) -> [(name: String, start: Int, length: Int)] {
        var found: [(name: String, start: Int, length: Int)] = []
        var position = 12
        while position + 8 <= bytes.count {
            let length = bytes[position + 4..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            found.append((String(decoding: bytes[position..<position + 4], as: UTF8.self), position, length))
            position += 8 + length + length % 2
        }
        return found
    }

    /// Every frame, or the code of its error, or of opening.
    private func codes(_ bytes: [UInt8]) -> [CodingError.Code?] {
        do throws(CodingError) {
            let animation = try CoderRegistry.standard.animation(of: Bytes(bytes))
            return (0..<animation.frameCount).map { index in
                do throws(CodingError) {
                    _ = try animation.frame(at: index)
                    return nil
                } catch {
                    return error.code
                }
            }
        } catch {
            return [error.code]
        }
    }

    @Test("F12: an animation without frames is a typed error")
    func noFrames() throws {
        let bytes = try picture.bytes().array
        let first = try #require(chunks(bytes).first { $0.name == "ANMF" })
        var bare = Array(bytes[..<first.start])
        bare.replaceSubrange(4..<8, with: withUnsafeBytes(of: UInt32(bare.count - 8).littleEndian, Array.init))
        #expect([[.malformed], [.truncated]].contains(codes(bare)))
        #expect(codes(Array(bytes[..<first.start])) == [.truncated])
    }

    @Test("F12: a frame that leaves the canvas is a typed error; its size is that of its pixels")
    func places() throws {
        let bytes = try picture.bytes().array
        let frame = chunks(bytes).filter { $0.name == "ANMF" }[2]
        // Left and top in pairs of pixels, three bytes each.
        for offset in [0, 3] {
            var damaged = bytes
            damaged[frame.start + 8 + offset] = 200
            let codes = codes(damaged)
            #expect(codes.contains(.malformed) && codes.allSatisfy { $0 == nil || $0 == .malformed }, "\(codes)")
        }
        // Width and height, which the pixels say once more.
        for (offset, value) in [(6, UInt8(3)), (6, 255), (9, 255)] {
            var damaged = bytes
            damaged[frame.start + 8 + offset] = value
            let animation = try CoderRegistry.standard.animation(of: Bytes(damaged))
            #expect(animation.header.frames[2].place.size == PixelSize(width: 16, height: 14))
            #expect(codes(damaged) == Array(repeating: nil, count: 5))
        }
    }

    @Test("F12: a canvas that is smaller than its frames is a typed error")
    func smallCanvas() throws {
        var bytes = try picture.bytes().array
        let header = try #require(chunks(bytes).first { $0.name == "VP8X" })
        bytes.replaceSubrange(header.start + 12..<header.start + 18, with: [4, 0, 0, 4, 0, 0])
        let codes = codes(bytes)
        #expect(codes.contains(.malformed), "\(codes)")
    }

    @Test("F12: a canvas of 16,384 × 16,384 is refused before memory is asked for")
    func hugeCanvas() throws {
        var bytes = try picture.bytes().array
        let header = try #require(chunks(bytes).first { $0.name == "VP8X" })
        bytes.replaceSubrange(header.start + 12..<header.start + 18, with: [0xFF, 0x3F, 0, 0xFF, 0x3F, 0])
        #expect(codes(bytes) == [.tooManyPixels])
    }

    @Test("C221 P27: the loop count and the delays are those of the container", arguments: [0, 1, 2, 65_535])
    func loopCount(plays: Int) throws {
        var bytes = try picture.bytes().array
        let header = try #require(chunks(bytes).first { $0.name == "ANIM" })
        bytes.replaceSubrange(header.start + 12..<header.start + 14, with: [UInt8(plays & 0xFF), UInt8(plays >> 8)])
        let frame = try #require(chunks(bytes).first { $0.name == "ANMF" })
        bytes.replaceSubrange(frame.start + 20..<frame.start + 23, with: [0xFF, 0xFF, 0xFF])
        let animation = try CoderRegistry.standard.animation(of: Bytes(bytes))
        #expect(animation.loopCount == plays)
        #expect(animation.durations.first == .milliseconds(0xFF_FFFF))
    }

    @Test("the orientation of the file holds for every frame")
    func orientation() throws {
        // A picture of one frame lies as the still decoder turns it.
        let bytes = Bytes(try Fixture.bytes("webp/exif-6.webp"))
        let animation = try CoderRegistry.standard.animation(of: bytes)
        let still = try CoderRegistry.standard.decode(bytes)
        #expect(animation.frameCount == 1)
        #expect(animation.size == still.size)
        #expect(try animation.frame(at: 0).rows == still.rows)
    }
}
