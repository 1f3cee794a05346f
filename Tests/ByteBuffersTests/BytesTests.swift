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
        #expect(pool.retainedBytes == first.capacity)
        let third = try pool.allocate(byteCount: 900_000)
        #expect(third.base == first.base)
        #expect(pool.retainedBytes == 0)
        pool.release(third)
        pool.trim()
        #expect(pool.retainedBytes == 0)
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
