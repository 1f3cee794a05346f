import ByteBuffers
import ImageCoding
import Pixels
import Testing

/// The chunks of a PNG, to be changed and put together again with right check sums.
private struct ChunkList {
    struct Chunk: Equatable {
        var name: String
        var content: [UInt8]
    }

    var chunks: [Chunk] = []

    init(_ bytes: [UInt8]) {
        var position = 8
        while position + 12 <= bytes.count {
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            chunks.append(
                Chunk(
                    name: String(decoding: bytes[position + 4..<position + 8], as: UTF8.self),
                    content: Array(bytes[position + 8..<position + 8 + length])))
            position += 12 + length
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for chunk in chunks {
            let named = Array(chunk.name.utf8) + chunk.content
            bytes += Self.bigEndian(chunk.content.count) + named + Self.bigEndian(Int(Self.checksum(named)))
        }
        return bytes
    }

    static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
    }

    /// CRC-32 bit by bit (PNG 3rd ed. annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 != 0 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }

    /// The chunks of this name, in order.
    func indices(of name: String) -> [Int] { chunks.indices.filter { chunks[$0].name == name } }

    mutating func set(_ number: Int, at offset: Int, in index: Int) {
        chunks[index].content.replaceSubrange(offset..<offset + 4, with: Self.bigEndian(number))
    }
}

@Suite("APNG")
struct APNGTests {
    private let picture = MovingPicture.pngs[1]

    private func list() throws -> ChunkList { ChunkList(try picture.bytes().array) }

    private func open(_ list: ChunkList) throws(CodingError) -> AnimatedImage {
        try CoderRegistry.standard.animation(of: Bytes(list.bytes))
    }

    /// The first `count` frames are there and right, and the file is known to hold more.
    private func expect(_ list: ChunkList, frames count: Int, isComplete: Bool = false) throws {
        let animation = try open(list)
        let expected = try picture.expected()
        #expect(animation.frameCount == count)
        #expect(animation.header.isComplete == isComplete)
        for index in 0..<animation.frameCount {
            let pixels = try animation.frame(at: index).rows.pixels
            #expect(MovingPicture.distance(pixels, expected[index]) <= picture.tolerance)
        }
    }

    @Test("the chunks put together again are the file")
    func sketch() throws {
        #expect(try list().bytes == picture.bytes().array)
        try expect(list(), frames: 6, isComplete: true)
    }

    @Test("F12: a number of the sequence that is missing, doubled or too early leaves the frames before it")
    func sequence() throws {
        let original = try list()
        let controls = original.indices(of: "fcTL")
        for wrong in [0, 3, 1_000, 0xFFFF_FFFF] {
            // The description of the third frame: two frames are whole.
            var list = original
            list.set(wrong, at: 0, in: controls[2])
            try expect(list, frames: 2)
            // A piece of the third frame's pixels: it is not whole.
            list = original
            list.set(wrong, at: 0, in: controls[2] + 1)
            try expect(list, frames: 2)
        }
        var swapped = original
        swapped.chunks.swapAt(controls[1] + 1, controls[1] + 2)
        try expect(swapped, frames: 1)
    }

    @Test("F12: a first frame that is wrong leaves the default picture", arguments: ["fcTL", "acTL", "zero", "huge"])
    func defaultPicture(what: String) throws {
        var list = try list()
        switch what {
        case "fcTL": list.set(7, at: 0, in: list.indices(of: "fcTL")[0])
        case "acTL": list.chunks.remove(at: list.indices(of: "fcTL")[0])
        case "zero": list.set(0, at: 0, in: list.indices(of: "acTL")[0])
        // The first frame has to be as large as the picture.
        default: list.set(1, at: 4, in: list.indices(of: "fcTL")[0])
        }
        let animation = try open(list)
        #expect(animation.frameCount == 1 && !animation.header.isComplete)
        let still = try CoderRegistry.standard.decode(Bytes(list.bytes))
        #expect(try animation.frame(at: 0).rows.pixels == still.rows.pixels)
    }

    @Test("F12: a frame that leaves the canvas, is empty, or has a value nobody defined ends the animation")
    func places() throws {
        let original = try list()
        let control = original.indices(of: "fcTL")[3]
        for (offset, number) in [
            (4, 27), (8, 20), (12, 26), (16, 19), (4, 0), (8, 0), (4, 0xFFFF_FFFF), (12, 0x7FFF_FFFF),
        ] {
            var list = original
            list.set(number, at: offset, in: control)
            try expect(list, frames: 3)
        }
        for (offset, value) in [(24, UInt8(3)), (25, 2)] {
            var list = original
            list.chunks[control].content[offset] = value
            try expect(list, frames: 3)
        }
    }

    @Test("F12: a number of frames that is not true neither allocates nor hides what is there")
    func announced() throws {
        var list = try list()
        let control = list.indices(of: "acTL")[0]
        list.set(0x7FFF_FFFF, at: 0, in: control)
        try expect(list, frames: 6)
        list.set(4, at: 0, in: control)
        try expect(list, frames: 4)
    }

    @Test("pixels of frames in front of the default picture end the animation")
    func earlyPixels() throws {
        var list = try list()
        let pixels = list.chunks.remove(at: list.indices(of: "fdAT")[0])
        list.chunks.insert(pixels, at: list.indices(of: "IDAT")[0])
        let animation = try open(list)
        #expect(animation.frameCount == 1 && !animation.header.isComplete)
    }

    @Test(
        "a wrong check sum of a frame's pixels is a typed error for this frame and those that are drawn on it",
        // Each frame has three pieces. The fourth frame is taken away again, so nothing is drawn on it.
        arguments: [(4, [2, 3, 4, 5]), (8, [3])])
    func checksum(piece: Int, broken: [Int]) throws {
        let list = try list()
        var bytes = list.bytes
        let damaged = list.indices(of: "fdAT")[piece]
        let end = 8 + list.chunks[...damaged].reduce(0) { $0 + 12 + $1.content.count }
        bytes[end - 1] ^= 1
        let animation = try CoderRegistry.standard.animation(of: Bytes(bytes))
        #expect(animation.frameCount == 6)
        for index in 0..<6 {
            do throws(CodingError) {
                _ = try animation.frame(at: index)
                #expect(!broken.contains(index))
            } catch {
                #expect(broken.contains(index) && error.code == .malformed)
            }
        }
    }

    @Test("F12: a frame whose pixels are of another size than it says is a typed error")
    func shortPixels() throws {
        var list = try list()
        let control = list.indices(of: "fcTL")[1]
        // More rows than were packed.
        list.set(17, at: 8, in: control)
        let animation = try open(list)
        let error = #expect(throws: CodingError.self) { try animation.frame(at: 1) }
        #expect([.truncated, .malformed].contains(error?.code))
    }
}
