import ByteBuffers
import ImageCoding
import Pixels
import Testing

/// Writes small GIFs by hand: what no encoder would.
struct GIFSketch {
    var bytes: [UInt8]

    /// A palette of two colours: red and blue.
    init(width: Int = 4, height: Int = 4, hasPalette: Bool = true) {
        bytes = Array("GIF89a".utf8) + Self.words([width, height]) + [hasPalette ? 0x80 : 0, 0, 0]
        if hasPalette { bytes += [255, 0, 0, 0, 0, 255] }
    }

    static func words(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }

    mutating func control(delay: Int = 10, disposal: Int = 0, transparent: UInt8? = nil) {
        bytes += [0x21, 0xF9, 4, UInt8(disposal << 2) | (transparent == nil ? 0 : 1)]
        bytes += Self.words([delay]) + [transparent ?? 0, 0]
    }

    mutating func loop(_ count: Int, name: String = "NETSCAPE2.0") {
        bytes += [0x21, 0xFF, 11] + Array(name.utf8) + [3, 1] + Self.words([count]) + [0]
    }

    /// One pixel of the colour 1.
    mutating func dot(x: Int = 0, y: Int = 0) { picture([x, y, 1, 1], pixels: [2, 2, 0x4C, 1, 0]) }

    /// - Parameter pixels: the code size and the blocks.
    mutating func picture(_ place: [Int], pixels: [UInt8]) {
        bytes += [0x2C] + Self.words(place) + [0] + pixels
    }

    mutating func end() { bytes.append(0x3B) }
}

@Suite("GIF animation")
struct GIFAnimationTests {
    private func open(_ sketch: GIFSketch, limits: DecodeLimits = .default) throws(CodingError) -> AnimatedImage {
        try CoderRegistry.standard.animation(of: Bytes(sketch.bytes), options: AnimationOptions(limits: limits))
    }

    private let blue: [UInt8] = [0, 0, 255, 255]

    @Test(
        "C218 P27: a file plays as often as browsers play it",
        arguments: [(nil, 1), (0, 0), (1, 2), (3, 4), (65_535, 65_536)])
    func loopCount(written: Int?, plays: Int) throws {
        for name in ["NETSCAPE2.0", "ANIMEXTS1.0"] {
            var sketch = GIFSketch()
            if let written { sketch.loop(written, name: name) }
            sketch.dot()
            sketch.dot()
            sketch.end()
            #expect(try open(sketch).loopCount == plays)
        }
    }

    @Test(
        "C217 P27: a delay of one hundredth or none becomes a tenth of a second, two stay",
        arguments: [(0, 100), (1, 100), (2, 20), (3, 30), (65_535, 655_350)])
    func delays(hundredths: Int, milliseconds: Int) throws {
        var sketch = GIFSketch()
        sketch.control(delay: hundredths)
        sketch.dot()
        sketch.dot()
        sketch.end()
        #expect(try open(sketch).durations == [.milliseconds(milliseconds), .milliseconds(100)])
    }

    @Test(
        "a missing trailer, and bytes behind the last picture, lose no frame",
        arguments: [[], [0, 1, 2], [0x3B, 7, 7]])
    func ends(rest: [UInt8]) throws {
        var sketch = GIFSketch()
        for x in 0..<3 { sketch.dot(x: x) }
        sketch.bytes += rest
        let animation = try open(sketch)
        #expect(animation.frameCount == 3)
        #expect(Array(try animation.frame(at: 2).rows.pixels[..<12]) == blue + blue + blue)
        #expect(animation.header.isComplete == (rest.first == 0x3B))
    }

    @Test("F12: a frame without pixels, or wholly outside of the canvas, draws nothing")
    func nothing() throws {
        for place in [
            [0, 0, 0, 0], [0, 0, 4, 0], [0, 0, 0, 4], [4, 0, 1, 1], [0, 4, 1, 1], [65_535, 65_535, 1, 1],
        ] {
            var sketch = GIFSketch()
            sketch.dot()
            sketch.control(disposal: 2)
            sketch.picture(place, pixels: [2, 2, 0x4C, 1, 0])
            sketch.dot(x: 1)
            sketch.end()
            let animation = try open(sketch)
            try #require(animation.frameCount == 3)
            #expect(try animation.frame(at: 1).rows.pixels == animation.frame(at: 0).rows.pixels)
            #expect(Array(try animation.frame(at: 2).rows.pixels[..<8]) == blue + blue)
        }
    }

    @Test("F12: a canvas of 65,535 × 65,535 with frames of one pixel is refused before memory is asked for")
    func hugeCanvas() throws {
        var sketch = GIFSketch(width: 65_535, height: 65_535)
        sketch.dot()
        sketch.dot()
        sketch.end()
        let error = #expect(throws: CodingError.self) { try open(sketch) }
        #expect(error?.code == .tooManyPixels)
        let empty = #expect(throws: CodingError.self) { try open(GIFSketch(width: 0, height: 0)) }
        #expect(empty?.code == .truncated)
    }

    @Test("F12: a frame that is much larger than its canvas is refused")
    func hugeFrame() throws {
        var sketch = GIFSketch()
        sketch.dot()
        sketch.picture([0, 0, 65_535, 65_535], pixels: [2, 2, 0x4C, 1, 0])
        sketch.end()
        let animation = try open(sketch)
        _ = try animation.frame(at: 0)
        let error = #expect(throws: CodingError.self) { try animation.frame(at: 1) }
        #expect(error?.code == .tooManyPixels)
    }

    @Test("F12: 100,000 frames are refused, or counted")
    func manyFrames() throws {
        var sketch = GIFSketch()
        for _ in 0..<100_000 { sketch.dot() }
        sketch.end()
        let error = #expect(throws: CodingError.self) { try open(sketch) }
        #expect(error?.code == .tooManyFrames)
        #expect(try open(sketch, limits: DecodeLimits(maxFrames: 100_000)).frameCount == 100_000)
    }

    @Test("F12: frames taken back again and again are each drawn once, and hold two canvases")
    func restoringChain() throws {
        var sketch = GIFSketch()
        sketch.dot()
        for _ in 0..<1_000 {
            sketch.control(disposal: 3)
            sketch.dot(x: 1)
        }
        sketch.end()
        let bytes = Bytes(sketch.bytes)
        let animation = try CoderRegistry.standard.animation(of: bytes, options: AnimationOptions(keptBytes: 0))
        for index in 0..<animation.frameCount { _ = try animation.frame(at: index) }
        #expect(animation.decodedFrameCount == 1_001)
        _ = try animation.frame(at: 500)
        // The first is let go of when the last has been shown, since then it all begins anew.
        #expect(animation.decodedFrameCount == 1_003)
        #expect(animation.memoryCost - bytes.count == 2 * 64 * 4)
    }

    @Test("F12: no palette, garbage for pixels, and blocks without end are typed errors")
    func garbage() throws {
        var bare = GIFSketch(hasPalette: false)
        bare.dot()
        bare.end()
        let noPalette = #expect(throws: CodingError.self) { try open(bare).frame(at: 0) }
        #expect(noPalette?.code == .malformed)
        for pixels: [UInt8] in [[2, 2, 0xFF, 0xFF, 0], [12, 2, 0x4C, 1, 0], [0, 2, 0x4C, 1, 0], [2, 0]] {
            var sketch = GIFSketch()
            sketch.picture([0, 0, 4, 4], pixels: pixels)
            sketch.dot()
            sketch.end()
            let animation = try open(sketch)
            #expect(animation.frameCount == 2)
            #expect(throws: CodingError.self) { try animation.frame(at: 0) }
        }
        var endless = GIFSketch()
        endless.bytes += [0x21, 0xFE] + Array(repeating: 1, count: 100_000)
        let error = #expect(throws: CodingError.self) { try open(endless) }
        #expect(error?.code == .truncated)
    }
}
