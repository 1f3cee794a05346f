import Testing

@testable import ByteBuffers

@Suite struct BlockPoolTests {
    @Test("A block holds what was asked for and wastes less than a fifth beyond the smallest")
    func capacities() {
        var last = 0
        for byteCount in stride(from: 1, through: BlockPool.largest + 20_000, by: 97) {
            let capacity = BlockPool.capacity(for: byteCount)
            #expect(capacity >= max(byteCount, last))
            if byteCount > BlockPool.smallest { #expect((capacity - byteCount) * 5 < capacity) }
            last = capacity
        }
        for size in [16, 20, 24, 28, 32, 40, 512, 640, 1024] {
            #expect(BlockPool.capacity(for: size << 10) == size << 10)
            #expect(BlockPool.capacity(for: (size << 10) + 1) > size << 10)
        }
        #expect(BlockPool.capacity(for: BlockPool.largest + 1) == BlockPool.largest + 1)
        #expect(BlockPool.capacity(for: 100) == 100)
    }

    @Test("A block that was given back is the next one of its size, and of no other")
    func reuse() throws {
        let pool = BlockPool(retainedLimit: 1 << 20)
        let first = try #require(pool.allocate(100_000))
        let capacity = BlockPool.capacity(for: 100_000)
        #expect(pool.retainedBytes == 0)
        pool.release(first, capacity: capacity)
        #expect(pool.retainedBytes == capacity)
        let other = try #require(pool.allocate(50_000))
        #expect(other != first)
        let again = try #require(pool.allocate(capacity - 10))
        #expect(again == first)
        #expect(pool.retainedBytes == 0)
        pool.release(other, capacity: BlockPool.capacity(for: 50_000))
        pool.release(again, capacity: capacity)
    }

    @Test("It keeps no more than its limit, and nothing outside its sizes")
    func limit() throws {
        let pool = BlockPool(retainedLimit: 100 << 10)
        let blocks = try (0..<5).map { _ in try #require(pool.allocate(32 << 10)) }
        for block in blocks { pool.release(block, capacity: 32 << 10) }
        #expect(pool.retainedBytes == 96 << 10)
        for odd in [100, 1_000_000, BlockPool.largest + 1] {
            let block = try #require(pool.allocate(odd))
            pool.release(block, capacity: odd)
            #expect(pool.retainedBytes == 96 << 10)
        }
    }

    @Test("What grows keeps its bytes, within the pool's sizes and beyond")
    func growth() throws {
        let pool = BlockPool(retainedLimit: 4 << 20)
        var block: UnsafeMutableRawPointer?
        var capacity = 0
        for byteCount in [1_000, 20_000, 300_000, 1 << 20, 3 << 20, 5 << 20] {
            let next = BlockPool.capacity(for: byteCount)
            let grown = try #require(pool.grow(block, capacity: capacity, keeping: min(capacity, 1_000), to: next))
            if capacity == 0 {
                for index in 0..<1_000 {
                    grown.storeBytes(of: UInt8(truncatingIfNeeded: index * 7), toByteOffset: index, as: UInt8.self)
                }
            }
            #expect(
                (0..<1_000).allSatisfy {
                    grown.load(fromByteOffset: $0, as: UInt8.self) == UInt8(truncatingIfNeeded: $0 * 7)
                })
            (block, capacity) = (grown, next)
        }
        if let block { pool.release(block, capacity: capacity) }
    }

    @Test("A body's memory comes back when its last slice has gone")
    func slices() throws {
        let pool = BlockPool(retainedLimit: 1 << 20)
        let capacity = BlockPool.capacity(for: 900_000)
        let block = try #require(pool.allocate(900_000))
        block.initializeMemory(as: UInt8.self, repeating: 3, count: 900_000)
        var whole: Bytes? = Bytes(pooled: block, capacity: capacity, count: 900_000, pool: pool)
        var slice = whole?[10..<20]
        whole = nil
        #expect(slice?.array == [UInt8](repeating: 3, count: 10))
        #expect(pool.retainedBytes == 0)
        slice = nil
        #expect(pool.retainedBytes == capacity)
    }
}
