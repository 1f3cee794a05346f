import Testing

@testable import ByteBuffers

@Suite struct BytesTests {
    @Test("A slice shares its parent's memory and is cut to what there is")
    func slices() throws {
        let bytes = Bytes([1, 2, 3, 4, 5])
        let part = bytes[1..<4]
        #expect(part.array == [2, 3, 4])
        #expect(part[1..<100].array == [3, 4])
        #expect(part[50..<60].isEmpty)
        #expect(part == Bytes([2, 3, 4]))
        #expect(part.hashValue == Bytes([2, 3, 4]).hashValue)
        let start = bytes.withUnsafeBytes { $0.baseAddress }
        #expect(part.withUnsafeBytes { $0.baseAddress } == start.map { $0 + 1 })
    }

    @Test("Bytes start with themselves, with any beginning of theirs, and with nothing else")
    func beginnings() {
        let bytes = Bytes([1, 2, 3])
        #expect(bytes.starts(with: bytes) && bytes.starts(with: Bytes([1, 2, 3])) && bytes.starts(with: Bytes()))
        #expect(bytes.starts(with: Bytes([1, 2])) && bytes.starts(with: bytes[0..<1]))
        #expect(!bytes.starts(with: Bytes([1, 2, 3, 4])) && !bytes.starts(with: Bytes([2])))
        #expect(!bytes.starts(with: bytes[1..<3]) && !Bytes().starts(with: bytes) && Bytes().starts(with: Bytes()))
        #expect(Bytes([1, 2]) != bytes && Bytes([1, 2, 4]) != bytes && Bytes([1, 2, 3]) == bytes)
    }

    @Test("The accumulator takes as much as its limit, and a refused piece changes nothing")
    func accumulator() throws {
        var room = ByteAccumulator(limit: 10, expected: 1 << 40)
        try [UInt8](repeating: 1, count: 6).withUnsafeBytes { try room.append($0) }
        #expect(room.count == 6)
        var refused = false
        do {
            try [UInt8](repeating: 9, count: 5).withUnsafeBytes { try room.append($0) }
        } catch is ByteAccumulator.LimitExceeded { refused = true }
        #expect(refused)
        #expect(room.count == 6)
        try [UInt8](repeating: 9, count: 4).withUnsafeBytes { try room.append($0) }
        let bytes = room.finish()
        #expect(bytes.count == 10)
        #expect(bytes[6..<10].array == [9, 9, 9, 9])
    }

    @Test("Pieces of all lengths come out as they went in")
    func growth() throws {
        var room = ByteAccumulator(limit: 1 << 20)
        var wanted: [UInt8] = []
        for length in 0..<200 {
            let piece = (0..<length * 7).map { UInt8(truncatingIfNeeded: $0 &* length) }
            wanted += piece
            try piece.withUnsafeBytes { try room.append($0) }
        }
        #expect(room.finish().array == wanted)
        #expect(ByteAccumulator(limit: 5).finish().isEmpty)
    }
}

@Suite struct RegionPoolTests {
    @Test("A large block is used again; the pool keeps no more than its limit")
    func reuse() throws {
        let pool = RegionPool(retainedLimit: 1 << 20)
        let first = try pool.allocate(byteCount: 900_000)
        let second = try pool.allocate(byteCount: 900_000)
        #expect(UInt(bitPattern: first.base) % 64 == 0)
        pool.release(first)
        pool.release(second)
        #expect(pool.retainedBytes == second.capacity)
        let third = try pool.allocate(byteCount: 900_000)
        #expect(third.base == second.base)
        #expect(pool.retainedBytes == 0)
        pool.release(third)
        pool.trim()
        #expect(pool.retainedBytes == 0)
    }

    @Test("A block costs its bytes, rounded up to pages", arguments: [262_144, 740 * 740 * 4, 2 << 20, 5_000_000])
    func rounding(byteCount: Int) throws {
        let pool = RegionPool(retainedLimit: 0)
        let block = try pool.allocate(byteCount: byteCount)
        defer { pool.release(block) }
        #expect(block.capacity - byteCount < 4_096)
        #expect(block.capacity >= byteCount)
    }

    @Test(
        "A kept block is used again only when no more than an eighth of it lies idle",
        arguments: [(800_000, true), (704_512, false), (720_896, true), (819_200, true), (819_201, false)])
    func waste(byteCount: Int, isReused: Bool) throws {
        let pool = RegionPool(retainedLimit: 1 << 20)
        pool.release(try pool.allocate(byteCount: 819_200))
        let block = try pool.allocate(byteCount: byteCount)
        #expect((pool.retainedBytes == 0) == isReused)
        pool.release(block)
    }

    @Test("Blocks that were given back last push out older ones; one above the limit pushes out none")
    func newestStay() throws {
        let pool = RegionPool(retainedLimit: 1 << 20)
        let blocks = try [300, 400, 500, 2_000].map { try pool.allocate(byteCount: $0 * 1_024) }
        for block in blocks { pool.release(block) }
        #expect(pool.retainedBytes == 900 * 1_024)
    }

    @Test("Huge pages lie wholly inside a block")
    func hugePages() {
        let unit = RegionPool.hugePage
        #expect(RegionPool.hugePages(of: 0, byteCount: unit) == (0, unit))
        #expect(RegionPool.hugePages(of: 0, byteCount: unit * 5 / 2) == (0, unit * 2))
        #expect(RegionPool.hugePages(of: 1 << 20, byteCount: unit * 2) == (unit / 2, unit))
        #expect(RegionPool.hugePages(of: 4_096, byteCount: unit).count == 0)
        #expect(RegionPool.hugePages(of: 0, byteCount: unit - 4_096).count == 0)
    }

    @Test("Small blocks are aligned and not kept; impossible ones are errors")
    func small() throws {
        let pool = RegionPool(retainedLimit: 1 << 20)
        let block = try pool.allocate(byteCount: 0)
        #expect(UInt(bitPattern: block.base) % 64 == 0)
        pool.release(block)
        #expect(pool.retainedBytes == 0)
        #expect(throws: AllocationError.self) { try pool.allocate(byteCount: -1) }
        #expect(throws: AllocationError.self) { try pool.allocate(byteCount: .max) }
        #expect(throws: AllocationError.self) { try pool.allocate(byteCount: 1 << 60) }
    }
}
