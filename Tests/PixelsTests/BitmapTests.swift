import ByteBuffers
import Pixels
import Synchronization
import Testing

private func numbered(_ width: Int, _ height: Int) throws -> Bitmap {
    var bitmap = try Bitmap(uninitialized: PixelSize(width: width, height: height))
    let stride = bitmap.bytesPerRow
    try bitmap.withUnsafeMutableBytes { bytes in
        for y in 0..<height {
            for x in 0..<width {
                bytes.storeBytes(of: UInt32(y * width + x), toByteOffset: y * stride + x * 4, as: UInt32.self)
            }
        }
    }
    return bitmap
}

extension Bitmap {
    fileprivate func number(_ x: Int, _ y: Int) -> UInt32 {
        withUnsafeBytes { $0.load(fromByteOffset: y * bytesPerRow + x * 4, as: UInt32.self) }
    }
}

@Suite struct OrientationTests {
    @Test(
        "P24 C229: pixels, sizes and rectangles turn alike, and the inverse undoes it", arguments: Orientation.allCases)
    func turns(orientation: Orientation) throws {
        let stored = try numbered(37, 5)
        let shown = try stored.oriented(by: orientation)
        #expect(shown.size == orientation.applied(to: stored.size))
        for y in 0..<stored.height {
            for x in 0..<stored.width {
                let place = orientation.applied(to: PixelRect(x: x, y: y, width: 1, height: 1), in: stored.size)
                #expect(shown.number(place.x, place.y) == stored.number(x, y))
            }
        }
        let back = try shown.oriented(by: orientation.inverse)
        #expect(back.size == stored.size)
        for y in 0..<stored.height {
            for x in 0..<stored.width { #expect(back.number(x, y) == stored.number(x, y)) }
        }
        let rect = PixelRect(x: 3, y: 1, width: 7, height: 2)
        let turned = orientation.applied(to: rect, in: stored.size)
        #expect(orientation.inverse.applied(to: turned, in: shown.size) == rect)
    }

    // Where the stored top left and top right pixel of a 2 x 1 picture are seen (CIPA DC-008, tag 0x0112).
    @Test(
        "P24: the tag's meaning",
        arguments: [
            (1, [0, 1], 2), (2, [1, 0], 2), (3, [1, 0], 2), (4, [0, 1], 2), (5, [0, 1], 1), (6, [0, 1], 1),
            (7, [1, 0], 1), (8, [1, 0], 1), (0, [0, 1], 2), (9, [0, 1], 2),
        ])
    func meaning(exif: Int, order: [UInt32], width: Int) throws {
        let shown = try numbered(2, 1).oriented(by: Orientation(exif: exif))
        #expect(shown.width == width)
        #expect([shown.number(0, 0), width == 2 ? shown.number(1, 0) : shown.number(0, 1)] == order)
    }
}

@Suite struct BitmapTests {
    @Test("A copy keeps its pixels when the other changes")
    func copyOnWrite() throws {
        var first = try numbered(3, 3)
        let second = first
        try first.withUnsafeMutableBytes { $0.storeBytes(of: 99, as: UInt32.self) }
        #expect(first.number(0, 0) == 99)
        #expect(second.number(0, 0) == 0)
        #expect(first.number(2, 2) == second.number(2, 2))
        let address = first.withUnsafeBytes { $0.baseAddress }
        let after = try first.withUnsafeMutableBytes { UnsafeRawPointer($0.baseAddress) }
        #expect(after == address)
    }

    @Test("Wrapped memory is never written and released once")
    func wrapping() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 7, count: 32)
        let counter = Counter()
        do {
            let wrapped = Bitmap(
                wrapping: memory, size: PixelSize(width: 2, height: 2), format: .rgba8, bytesPerRow: 16,
                release: { counter.add() })
            var bitmap = try #require(wrapped)
            let copy = bitmap
            #expect(bitmap.byteCost == 32)
            try bitmap.withUnsafeMutableBytes { $0[0] = 1 }
            #expect(copy.withUnsafeBytes { $0[0] } == 7)
            #expect(counter.value == 0)
        }
        #expect(counter.value == 1)
        let tooNarrow = Bitmap(
            wrapping: memory, size: PixelSize(width: 5, height: 1), format: .rgba8, bytesPerRow: 16,
            release: { counter.add() })
        #expect(tooNarrow == nil)
        #expect(counter.value == 2)
    }

    @Test("C226: The cost counts the rows' padding, and rows start at 64 bytes")
    func cost() throws {
        let bitmap = try Bitmap(uninitialized: PixelSize(width: 17, height: 3))
        #expect(bitmap.bytesPerRow == 128)
        #expect(bitmap.byteCost == 384)
    }

    @Test(
        "Impossible sizes are errors",
        arguments: [(0, 1), (1, 0), (-1, -1), (Int.max, 1), (1, Int.max), (Int.max / 4, 1), (1 << 40, 1 << 40)])
    func impossible(width: Int, height: Int) {
        #expect(throws: AllocationError.self) {
            try Bitmap(uninitialized: PixelSize(width: width, height: height))
        }
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}
