import ByteBuffers
import ImageCoding
import Pixels
import Testing

@Suite("Frames of a moving picture in any order")
struct AnimationAccessTests {
    private static let canvasBytes = 64 * 6

    private func open(
        _ source: CountedFrames, keeping canvases: Int, thumbnail: AnimationOptions.Thumbnail? = nil
    ) throws -> AnimatedImage {
        try AnimatedImage(
            source, of: Bytes(),
            options: AnimationOptions(thumbnail: thumbnail, keptBytes: canvases * Self.canvasBytes))
    }

    /// What a player of the plainest kind shows: it walks from the first frame and does what each disposal says.
    private func played(_ frames: [FrameHeader]) throws -> [[UInt8]] {
        let source = CountedFrames(frames)
        var canvas = [UInt8](repeating: 0, count: 8 * 6 * 4)
        var shown: [[UInt8]] = []
        for (index, frame) in frames.enumerated() {
            let before = canvas
            try canvas.withUnsafeMutableBytes { pixels in
                let base = try #require(pixels.baseAddress)
                try source.draw(
                    index, onto: RowStrip(base: base, bytesPerRow: 8 * 4, rowCount: 6), options: DecodeOptions())
            }
            shown.append(canvas)
            switch frame.disposal {
            case .keep: break
            case .restore: canvas = before
            case .clear:
                let place = frame.place.clamped(to: source.header.canvas)
                for y in place.y..<place.y + place.height {
                    for byte in (y * 8 + place.x) * 4..<(y * 8 + place.x + place.width) * 4 { canvas[byte] = 0 }
                }
            }
        }
        return shown
    }

    @Test("P26 W041: frames in any order are those of playing from the start, whatever is kept", arguments: 0..<300)
    func randomOrder(seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let frames = (0..<Int.random(in: 1...24, using: &numbers)).map { _ in FrameHeader.random(using: &numbers) }
        let expected = try played(frames)
        let source = CountedFrames(frames)
        let capacity = Int.random(in: 0...26, using: &numbers)
        let animation = try open(source, keeping: capacity)
        for step in 0..<60 {
            let index = frames.indices.randomElement(using: &numbers) ?? 0
            let frame = try animation.frame(at: index)
            #expect(frame.rows.pixels == expected[index], "frame \(index) at step \(step)")
            // Two frames more than what may be kept: the one that is shown and the one that the next is drawn on.
            #expect(animation.memoryCost <= max(2, capacity) * Self.canvasBytes)
            let drawn = source.takeDrawn()
            #expect(drawn.count <= index + 1 && Set(drawn).count == drawn.count)
            _ = try animation.frame(at: index)
            #expect(source.takeDrawn().isEmpty, "the frame that is shown is held")
        }
    }

    @Test("P26: shown one after the other each frame is decoded once, whatever is kept", arguments: 0..<100)
    func sequential(seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed) + 1_000)
        let frames = (0..<Int.random(in: 1...24, using: &numbers)).map { _ in FrameHeader.random(using: &numbers) }
        let source = CountedFrames(frames)
        let animation = try open(source, keeping: seed % 5)
        for index in frames.indices {
            _ = try animation.frame(at: index)
            #expect(source.takeDrawn().count { $0 == index } == 1)
        }
        #expect(animation.decodedFrameCount <= frames.count)
    }

    private static let chain = (0..<40).map { index in
        FrameHeader(
            place: PixelRect(x: index == 0 ? 0 : 1, y: 0, width: index == 0 ? 8 : 3, height: 6), hasAlpha: false)
    }

    @Test(
        "P26: a jump decodes no more frames than lie between two that are kept",
        arguments: [(6, 10), (10, 5), (12, 4), (22, 2)])
    func jumps(keeping: Int, distance: Int) throws {
        let source = CountedFrames(Self.chain)
        let animation = try open(source, keeping: keeping)
        for index in Self.chain.indices { _ = try animation.frame(at: index) }
        _ = source.takeDrawn()
        for index in Self.chain.indices.reversed() {
            _ = try animation.frame(at: index)
            let drawn = source.takeDrawn()
            #expect(drawn.count <= distance && drawn.last ?? index == index, "frame \(index): \(drawn)")
        }
    }

    @Test("P26: an animation that fits is decoded once however often it is played")
    func loops() throws {
        let source = CountedFrames(Self.chain)
        let animation = try open(source, keeping: 40)
        for _ in 0..<3 {
            for index in Self.chain.indices { _ = try animation.frame(at: index) }
        }
        #expect(source.takeDrawn() == Array(Self.chain.indices))
        #expect(animation.isPreloaded)
    }

    @Test("frames that stand alone are decoded alone")
    func keyFrames() throws {
        let frames = (0..<10).map { _ in FrameHeader(place: PixelRect(x: 0, y: 0, width: 8, height: 6), hasAlpha: true)
        }
        let source = CountedFrames(frames)
        let animation = try open(source, keeping: 0)
        for index in [7, 2, 9, 0] { _ = try animation.frame(at: index) }
        #expect(source.takeDrawn() == [7, 2, 9, 0])
        #expect(animation.memoryCost == Self.canvasBytes)
    }

    @Test(
        "P26: playing again, a source that is read in order is asked from its first frame on, and never for the last ones"
    )
    func sequentialSource() throws {
        let whole = FrameHeader(place: PixelRect(x: 0, y: 0, width: 8, height: 6), hasAlpha: false)
        let source = CountedFrames(Array(repeating: whole, count: 20), isSequential: true)
        let animation = try open(source, keeping: 8)
        for _ in 0..<3 {
            for index in 0..<20 { _ = try animation.frame(at: index) }
            let drawn = source.takeDrawn()
            #expect(drawn == Array(0..<20) || drawn == Array(0..<14))
        }
        #expect(animation.decodedFrameCount == 20 + 14 + 14)
        #expect(animation.memoryCost <= 8 * Self.canvasBytes)
    }

    @Test("C198: only the first frame, and nothing behind it", arguments: MovingPicture.all)
    func firstFrameOnly(picture: MovingPicture) throws {
        let animation = try picture.open(AnimationOptions(isFirstFrameOnly: true))
        #expect(animation.frameCount == 1)
        let distance = try MovingPicture.distance(animation.frame(at: 0).rows.pixels, picture.expected()[0])
        #expect(distance <= picture.tolerance)
        #expect(animation.decodedFrameCount == 1)
    }

    @Test("C256 C258 C317 S113: the cost is what is held, all frames after preloading", arguments: [0, 10, 40])
    func preload(keeping: Int) throws {
        let animation = try open(CountedFrames(Self.chain), keeping: keeping)
        #expect(animation.memoryCost == 0 && !animation.isPreloaded)
        _ = try animation.frame(at: 0)
        #expect(animation.memoryCost == Self.canvasBytes)
        try animation.preload()
        #expect(animation.isPreloaded)
        #expect(animation.memoryCost == 40 * Self.canvasBytes)
        #expect(animation.decodedFrameCount == 40)
        animation.unload()
        #expect(animation.isPreloaded == (keeping == 40))
        #expect(animation.memoryCost <= keeping * Self.canvasBytes)
        animation.removeAll()
        #expect(animation.memoryCost == 0)
    }

    @Test("a broken frame does not touch those that are not drawn on it")
    func broken() throws {
        var frames = Self.chain
        frames[30].place = PixelRect(x: 0, y: 0, width: 8, height: 6)
        let animation = try open(CountedFrames(frames, broken: 20), keeping: 4)
        for index in frames.indices {
            if (20..<30).contains(index) {
                #expect(throws: CodingError.self) { try animation.frame(at: index) }
            } else {
                _ = try animation.frame(at: index)
            }
        }
    }

    @Test("a frame that is not there is a typed error", arguments: [-1, 40, .max, .min])
    func outOfRange(index: Int) throws {
        let animation = try open(CountedFrames(Self.chain), keeping: 4)
        let error = #expect(throws: CodingError.self) { try animation.frame(at: index) }
        #expect(error?.code == .noSuchFrame)
    }

    @Test("a picture that the caller changes is a copy")
    func callersCopy() throws {
        let animation = try open(CountedFrames(Self.chain), keeping: 4)
        var frame = try animation.frame(at: 0)
        let before = frame.rows.pixels
        try frame.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 7) }
        #expect(try animation.frame(at: 0).rows.pixels == before)
        let shown = try animation.frame(at: 1)
        let pixels = shown.rows.pixels
        _ = try animation.frame(at: 2)
        #expect(shown.rows.pixels == pixels)
    }

    @Test("thumbnails are made of whole frames, each once when they fit", arguments: [true, false])
    func thumbnails(isFitting: Bool) throws {
        let source = CountedFrames(Self.chain)
        let thumbnail = AnimationOptions.Thumbnail(size: PixelSize(width: 2, height: 1)) { frame in
            #expect(frame.size == PixelSize(width: 8, height: 6))
            let corner = Array(frame.rows.pixels[..<8])
            return try Bitmap(PixelSize(width: 2, height: 1), frame.format, corner)
        }
        // A row of a small bitmap takes 64 bytes.
        let animation = try open(source, keeping: isFitting ? 8 : 0, thumbnail: thumbnail)
        let expected = try played(Self.chain)
        for _ in 0..<2 {
            for index in Self.chain.indices {
                #expect(try animation.frame(at: index).rows.pixels == Array(expected[index][..<8]))
            }
        }
        #expect(source.takeDrawn().count == (isFitting ? 40 : 80))
        #expect(animation.size == PixelSize(width: 2, height: 1))
        if isFitting { #expect(animation.memoryCost == 40 * 64) }
    }

    @Test("C192: many threads get the right frames, and none is decoded twice")
    func threads() async throws {
        let source = CountedFrames(Self.chain)
        let animation = try open(source, keeping: 40)
        let expected = try played(Self.chain)
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<40 {
                        let index = (step * 7 + task * 5) % 40
                        let pixels = try animation.frame(at: index).rows.pixels
                        #expect(pixels == expected[index])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(source.takeDrawn().sorted() == Array(0..<40))
    }

    @Test("a stop is heard, and what was drawn before is not lost")
    func cancellation() throws {
        let animation = try open(CountedFrames(Self.chain), keeping: 40)
        let error = #expect(throws: CodingError.self) { try animation.frame(at: 30) { false } }
        #expect(error?.code == .cancelled)
        _ = try animation.frame(at: 30)
        #expect(animation.decodedFrameCount == 31)
    }

    @Test("a canvas that nobody else holds is drawn on in place")
    func inPlace() throws {
        let animation = try open(CountedFrames(Self.chain), keeping: 0)
        func address(_ index: Int) throws -> UnsafeRawPointer? {
            try animation.frame(at: index).withUnsafeBytes { $0.baseAddress }
        }
        let first = try address(0)
        for index in 1..<40 { #expect(try address(index) == first) }
        #expect(animation.memoryCost == Self.canvasBytes)
    }

    @Test(
        "C205 C232 W002: the size in which all frames fit into a number of bytes",
        arguments: [
            (Int.max, 8, 6), (40 * 8 * 6 * 4, 8, 6), (40 * 8 * 6 * 4 - 1, 7, 5), (40 * 4 * 3 * 4, 4, 3), (159, 1, 1),
            (0, 1, 1), (-5, 1, 1),
        ])
    func sizeWithin(byteLimit: Int, width: Int, height: Int) {
        let header = CountedFrames(Self.chain).header
        #expect(header.size(within: byteLimit) == PixelSize(width: width, height: height))
    }
}
