import ByteBuffers
import Synchronization
import Testing
import WebImageTesting

@testable import ImageCaching

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite struct DiskFailureTests {
    private static let calls: [(FaultyFileSystem.Call, Int32, CacheError.Code)] = [
        (.openRoot, EACCES, .unusableDirectory), (.openDirectory, EACCES, .unusableDirectory),
        (.create, EROFS, .unusableDirectory), (.create, EMFILE, .inputOutput), (.create, ENOSPC, .noSpace),
        (.write, ENOSPC, .noSpace), (.write, EDQUOT, .noSpace), (.write, EIO, .inputOutput),
        (.touch, EIO, .inputOutput), (.close, ENOSPC, .noSpace), (.rename, EACCES, .unusableDirectory),
        (.makeDirectory, ENOSPC, .noSpace),
    ]

    @Test("P34 F35 F37 W033 C085: a failing store says so, warns once, leaves nothing, and recovers", arguments: calls)
    func failingStore(call: FaultyFileSystem.Call, code: Int32, expected: CacheError.Code) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        if call != .openRoot, call != .openDirectory, call != .makeDirectory {
            try cache.store(payload(50), for: key("a"))
        }
        let before = cache.statistics().entries
        let warningsBefore = fixture.warnings.count
        fixture.files.fail(call, code)
        for _ in 0..<3 {
            let other = call == .makeDirectory || call == .openDirectory || call == .openRoot ? fixture.cache() : cache
            let error = #expect(throws: CacheError.self) { try other.store(payload(9_000), for: key("a")) }
            #expect((error?.code, error?.systemCode) == (expected, code))
            #expect(error?.message.contains(String(cString: strerror(code))) == true)
        }
        if before > 0 { #expect(fixture.warnings.count == warningsBefore + 1) }
        fixture.files.heal()
        #expect(fixture.temporaries.isEmpty)
        #expect(try cache.entry(for: key("a"))?.payload == (before > 0 ? payload(50) : nil))
        try cache.store(payload(60), for: key("a"))
        #expect(try cache.entry(for: key("a"))?.payload == payload(60))
        #expect(cache.statistics().entries == 1)
        fixture.files.fail(.create, EIO)
        #expect(throws: CacheError.self) { try cache.store(payload(1), for: key("b")) }
        // Soon after the first warning that is the same trouble; five minutes later it is news.
        if before > 0 { #expect(fixture.warnings.count == warningsBefore + 1) }
        fixture.files.heal()
        try cache.store(payload(61), for: key("a"))
        fixture.advance(300)
        fixture.files.fail(.create, EIO)
        #expect(throws: CacheError.self) { try cache.store(payload(1), for: key("b")) }
        if before > 0 { #expect(fixture.warnings.count == warningsBefore + 2) }
    }

    @Test("P34: space that ends in the middle of an entry leaves neither half of it nor a temporary file")
    func spaceEndsMidway() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(3_000, seed: 1), for: key("a"))
        fixture.files.pieceLimit.store(100, ordering: .relaxed)
        for writes in 0..<32 {
            fixture.files.fail(.write, ENOSPC, after: writes)
            #expect(throws: CacheError.self) { try cache.store(payload(3_000, seed: 2), for: key("a")) }
            #expect(fixture.temporaries.isEmpty)
            #expect(try cache.entry(for: key("a"))?.payload == payload(3_000, seed: 1))
        }
    }

    @Test("Short reads and writes are continued")
    func shortCalls() throws {
        let fixture = DiskFixture()
        fixture.files.pieceLimit.store(7, ordering: .relaxed)
        let cache = fixture.cache()
        try cache.store(payload(1_000), for: key("a"))
        #expect(try cache.entry(for: key("a"))?.payload == payload(1_000))
    }

    @Test("F35: a read that fails is an error, and no reason to drop the entry", arguments: [EIO, ENOMEM, EMFILE])
    func failingRead(code: Int32) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(10), for: key("a"))
        for call in [FaultyFileSystem.Call.read, .openForReading] {
            fixture.files.fail(call, code)
            let error = #expect(throws: CacheError.self) { try cache.entry(for: key("a")) }
            #expect(error?.systemCode == code)
            fixture.files.heal()
            #expect(try cache.entry(for: key("a")) != nil)
        }
    }

    @Test("P34 C129 S135: the folder is removed under the cache: misses, then a new folder by itself")
    func removedFolder() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(10), for: key("a"))
        DiskFixture.removeTree(fixture.root)
        #expect(try cache.entry(for: key("a")) == nil)
        #expect(cache.statistics().entries == 0)
        DiskFixture.removeTree(fixture.root)
        try cache.store(payload(20), for: key("b"))
        #expect(try cache.entry(for: key("b"))?.payload == payload(20))
        #expect(cache.statistics().entries == 1)
        for part in ["/v1/tmp", "/v1/usage", "/v1"] {
            DiskFixture.removeTree(fixture.path + part)
            try? cache.store(payload(30), for: key("c"))
            try cache.store(payload(30), for: key("c"))
            #expect(try cache.entry(for: key("c"))?.payload == payload(30))
        }
        let writer = try cache.makeWriter(for: key("d"))
        DiskFixture.removeTree(fixture.root)
        #expect(throws: CacheError.self) { try writer.commit() }
        try cache.store(payload(30), for: key("d"))
        #expect(try cache.entry(for: key("d")) != nil)
    }

    @Test("P34: a file stands where the folder should be")
    func fileInsteadOfFolder() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(10), for: key("a"))
        DiskFixture.removeTree(fixture.path)
        DiskFixture.write([1], to: fixture.path)
        for _ in 0..<3 {
            let error = #expect(throws: CacheError.self) { try cache.store(payload(10), for: key("a")) }
            #expect(error?.code == .unusableDirectory)
        }
        #expect(fixture.warnings.count == 1)
        #expect(DiskFixture.read(fixture.path) == [1])
        unlink(fixture.path)
        try cache.store(payload(10), for: key("a"))
        #expect(try cache.entry(for: key("a")) != nil)
    }

    @Test("P9: links and pipes in the cache lead nowhere")
    func links() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(10), for: key("a"))
        let outside = fixture.root + "/outside"
        mkdir(outside, 0o700)
        let file = fixture.file(of: key("a"))
        DiskFixture.write(DiskFixture.read(file), to: outside + "/entry")
        unlink(file)
        symlink(outside + "/entry", file)
        #expect(throws: CacheError.self) { try cache.entry(for: key("a")) }
        try cache.store(payload(20), for: key("a"))
        #expect(try cache.entry(for: key("a"))?.payload == payload(20))
        unlink(file)
        mkfifo(file, 0o600)
        #expect(try cache.entry(for: key("a")) == nil)
        let shard = String(file.dropLast(65))
        DiskFixture.removeTree(shard)
        symlink(outside, shard)
        #expect(throws: CacheError.self) { try cache.store(payload(30), for: key("a")) }
        #expect(DiskFixture.names(in: outside) == ["entry"])
        #expect(fixture.temporaries.isEmpty)
    }
}
