import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("Damaged moving pictures")
struct AnimationDamageTests {
    private static let limits = DecodeLimits(maxPixels: 1 << 13, maxFrames: 100, maxTotalPixels: 1 << 16)

    /// Every frame as pixels or the code of its error; one element when the file cannot be opened.
    private func outcome(_ bytes: [UInt8]) -> [Result<[UInt8], CodingError>] {
        do {
            let animation = try CoderRegistry.standard.animation(
                of: Bytes(bytes), options: AnimationOptions(limits: Self.limits))
            return (0..<animation.frameCount).map { index in
                do throws(CodingError) {
                    return .success(try animation.frame(at: index).rows.pixels)
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            return [.failure(error)]
        }
    }

    @Test("F2: a file that is cut at any 32nd gives the frames that are whole", arguments: MovingPicture.all)
    func truncation(picture: MovingPicture) throws {
        let bytes = try picture.bytes().array
        let expected = try picture.expected()
        var whole: [Int] = []
        for part in 0..<32 {
            let frames = outcome(Array(bytes[..<(bytes.count * part / 32)]))
            var count = 0
            // What is there of a default picture that is no frame is not compared.
            for (index, frame) in frames.enumerated() where frames.count > 1 || picture.file != "default.png" {
                guard case .success(let pixels) = frame else { continue }
                #expect(MovingPicture.distance(pixels, expected[index]) <= picture.tolerance, "\(part)/32, \(index)")
                count += 1
            }
            whole.append(count)
            // Only the first frame of all may be asked for though it is not whole, and one whose end is not known.
            let known = frames.dropFirst().dropLast(picture.hasOpenEnd ? 1 : 0)
            #expect(known.allSatisfy { (try? $0.get()) != nil }, "\(part)/32")
        }
        #expect(whole == whole.sorted() && whole.last ?? 0 >= expected.count - 2, "\(whole)")
    }

    @Test("a file that is cut says that there was more", arguments: MovingPicture.all)
    func isComplete(picture: MovingPicture) throws {
        let bytes = try picture.bytes()
        let end = picture.hasOpenEnd ? bytes.count / 2 : bytes.count - 12
        let cut = try CoderRegistry.standard.animation(of: bytes[0..<end])
        #expect(!cut.header.isComplete)
        #expect(cut.frameCount < picture.durations.count || picture.file.hasSuffix("gif"))
    }

    @Test("F3: a flipped byte gives frames or typed errors, twice the same", arguments: MovingPicture.all)
    func flips(picture: MovingPicture) throws {
        let bytes = try picture.bytes().array
        for position in 0..<min(bytes.count, 1_024) {
            var damaged = bytes
            damaged[position] ^= position % 2 == 0 ? 0xFF : 1 << UInt8(position / 2 % 8)
            let frames = outcome(damaged)
            #expect(frames.count <= Self.limits.maxFrames)
            if position % 16 == 0 { #expect(frames == outcome(damaged), "at \(position)") }
        }
    }

    @Test("F12: more frames, or more pixels in all, than allowed are refused", arguments: MovingPicture.all)
    func limits(picture: MovingPicture) throws {
        let count = picture.durations.count
        let pixels = picture.size.width * picture.size.height * count
        let exact = DecodeLimits(maxFrames: count, maxTotalPixels: pixels)
        #expect(try picture.open(AnimationOptions(limits: exact)).frameCount == count)
        let bytes = try picture.bytes()
        for (limits, code) in [
            (DecodeLimits(maxFrames: count - 1), CodingError.Code.tooManyFrames),
            (DecodeLimits(maxTotalPixels: pixels - 1), .tooManyPixels),
            (DecodeLimits(maxPixels: pixels / count - 1), .tooManyPixels),
            (DecodeLimits(maxSide: picture.size.width - 1), .sideTooLong),
            (DecodeLimits(maxInputBytes: bytes.count - 1), .tooManyBytes),
        ] {
            let error = #expect(throws: CodingError.self) { try picture.open(AnimationOptions(limits: limits)) }
            #expect(error?.code == code)
        }
        // Who wants only one frame is not refused for the others.
        let one = AnimationOptions(isFirstFrameOnly: true, limits: DecodeLimits(maxFrames: 1))
        #expect(try picture.open(one).frameCount == 1)
    }

    @Test("F12: a frame that takes too long is a typed error", arguments: MovingPicture.all)
    func deadline(picture: MovingPicture) throws {
        let animation = try picture.open(AnimationOptions(limits: DecodeLimits(maxDuration: .zero)))
        let error = #expect(throws: CodingError.self) { try animation.frame(at: 0) }
        #expect(error?.code == .tookTooLong)
        let still = #expect(throws: CodingError.self) {
            try CoderRegistry.standard.decode(picture.bytes(), limits: DecodeLimits(maxDuration: .zero))
        }
        #expect(still?.code == .tookTooLong)
    }

    @Test("F12: pictures lie in each other only so deep")
    func nesting() throws {
        var limits = DecodeLimits(maxNesting: 2)
        limits = try limits.nested(in: .ico).nested(in: .png)
        let error = #expect(throws: CodingError.self) { try limits.nested(in: .png) }
        #expect(error?.code == .tooComplex)
    }
}
