import Synchronization
import Testing
import WebImageTesting

@testable import ImageCaching

@Suite struct DiskSpaceTests {
    private let unit = 4_096

    @Test("S143: where others need the room, entries go, down to the mark; they may come back when there is room again")
    func floor() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache {
            $0.byteLimit = 1_000 * unit
            $0.freeSpaceFloor = 50 * unit
            $0.lowWaterShare = 0.5
        }
        fixture.files.claimedSpace.withLock { $0 = FileSystemSpace(total: 10_000 * unit, available: 500 * unit) }
        for number in 0..<40 {
            try cache.store(payload(10), for: key("\(number)"))
            fixture.advance(61)
        }
        #expect(cache.statistics().entries == 40)
        // 20 blocks are free, 50 have to be: 41 entries may take 11.
        fixture.files.claimedSpace.withLock { $0?.available = 20 * unit }
        try cache.store(payload(10), for: key("40"))
        #expect(cache.statistics().bytes == 5 * unit)
        #expect(try (36...40).allSatisfy { try cache.contains(key("\($0)")) })
        fixture.files.claimedSpace.withLock { $0?.available = 500 * unit }
        for number in 50..<90 { try cache.store(payload(10), for: key("\(number)")) }
        #expect(cache.statistics().entries == 45)
    }

    @Test("S143: a file system that others have filled is left to them, and storing goes on without an error")
    func nothingLeft() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache { $0.freeSpaceFloor = .max }
        fixture.files.claimedSpace.withLock { $0 = FileSystemSpace(total: .max, available: .max) }
        for number in 0..<5 { try cache.store(payload(10), for: key("\(number)")) }
        #expect(cache.statistics().entries == 0)
        #expect(fixture.warnings.isEmpty)
    }

    @Test(
        "C111: the limit is what is configured, or what the file system can spare",
        arguments: [
            // used, total, available, floor, limit
            (100, 1_000, 900, nil, 500), (100, 1_000, 60, nil, 110), (100, 1_000, 10, nil, 60), (100, 1_000, 0, 200, 0),
            (0, 1 << 50, 1 << 49, nil, 500), (.max, .max, .max, nil, 500), (-5, -5, -5, -5, 0), (10, 100, 0, 0, 10),
        ] as [(Int, Int, Int, Int?, Int)])
    func bounds(used: Int, total: Int, available: Int, floor: Int?, limit: Int) {
        var configuration = DiskCache.Configuration(directory: "/nowhere")
        configuration.byteLimit = 500
        configuration.freeSpaceFloor = floor
        let bounds = configuration.bounds(used: used, on: FileSystemSpace(total: total, available: available))
        #expect(bounds.limit == limit)
        #expect(bounds.lowWater == limit * 9 / 10)
    }

    @Test("The real file system has some size, and no less than is free")
    func realSpace() throws {
        let files = PosixFileSystem()
        let folder = try files.openExisting("/tmp")
        defer { files.discard(folder) }
        let space = try files.space(of: folder)
        #expect(space.total > 1 << 20 && (0...space.total).contains(space.available))
        #expect(throws: SystemError.self) {
            try files.openExisting("/tmp/no-such-folder-\(UInt64.random(in: 0 ... .max))")
        }
    }
}
