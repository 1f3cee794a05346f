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

@Suite struct ReadOnlyFolderTests {
    @Test("S136 C083: folders that are only read answer in their order, and nothing in them is changed")
    func order() throws {
        let (main, first, second) = (DiskFixture(), DiskFixture(), DiskFixture())
        try first.cache().store(payload(10, seed: 1), metadata: ["from": "first"], for: key("a"))
        try second.cache().store(payload(10, seed: 2), metadata: ["from": "second"], for: key("a"))
        try second.cache().store(payload(10, seed: 2), metadata: ["from": "second"], for: key("b"))
        let before = [first, second].map { fixture in Self.everything(below: fixture.root) }
        let cache = main.cache {
            $0.readOnlyDirectories = ["/nowhere/at/all", first.path, second.path]
            $0.maximumAge = .seconds(1)
        }
        main.advance(1_000_000)
        #expect(try cache.entry(for: key("a"))?.metadata == ["from": "first"])
        #expect(try cache.entry(for: key("b"))?.metadata == ["from": "second"])
        #expect(try cache.entry(for: key("c")) == nil)
        #expect((cache.statistics().hits, cache.statistics().misses, cache.statistics().entries) == (2, 1, 0))
        try cache.store(payload(10), metadata: ["from": "main"], for: key("a"))
        #expect(try cache.entry(for: key("a"))?.metadata == ["from": "main"])
        try cache.remove(key("a"))
        try cache.removeAll()
        #expect(try cache.entry(for: key("a"))?.metadata == ["from": "first"])
        #expect(try cache.contains(key("a")) == false)
        #expect([first, second].map { fixture in Self.everything(below: fixture.root) } == before)
        #expect(main.warnings.isEmpty)
    }

    @Test("C083: damage in a folder that is only read is passed over and left there; a folder that comes later is seen")
    func damage() throws {
        let (main, bad, good) = (DiskFixture(), DiskFixture(), DiskFixture())
        try bad.cache().store(payload(100), for: key("a"))
        let file = bad.file(of: key("a"))
        let damaged = [1] + DiskFixture.read(file).dropFirst()
        DiskFixture.write(damaged, to: file)
        let cache = main.cache { $0.readOnlyDirectories = [bad.path, good.path] }
        #expect(try cache.entry(for: key("a")) == nil)
        try good.cache().store(payload(100), for: key("a"))
        #expect(try cache.entry(for: key("a"))?.payload == payload(100))
        #expect(DiskFixture.read(file) == damaged)
        #expect(cache.statistics().corrupted == 0)
    }

    @Test("P34: a folder of its own that cannot be used does not hide what the others have")
    func brokenMain() throws {
        let (main, extra) = (DiskFixture(), DiskFixture())
        try extra.cache().store(payload(100), for: key("a"))
        DiskFixture.write([1], to: "/tmp/plain-file-\(getpid())")
        defer { unlink("/tmp/plain-file-\(getpid())") }
        var configuration = DiskCache.Configuration(directory: "/tmp/plain-file-\(getpid())")
        configuration.readOnlyDirectories = [extra.path]
        let cache = DiskCache(configuration, fileSystem: main.files, wallClock: { main.now })
        #expect(try cache.entry(for: key("a"))?.payload == payload(100))
        #expect(throws: CacheError.self) { try cache.entry(for: key("b")) }
    }

    @Test("C089 C119: whether an entry is there is known without reading it, and does not count as a use")
    func contains() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache { $0.maximumAge = .seconds(100) }
        #expect(try cache.contains(key("a")) == false)
        try cache.store(payload(10), for: key("a"))
        let before = Self.everything(below: fixture.root)
        fixture.advance(99)
        #expect(try cache.contains(key("a")))
        #expect(Self.everything(below: fixture.root) == before)
        fixture.advance(1)
        #expect(try cache.contains(key("a")) == false)
        #expect(cache.statistics().misses == 0)
        fixture.files.fail(.openDirectory, EACCES)
        #expect(throws: CacheError.self) { try cache.contains(key("a")) }
    }

    /// Paths, sizes and times of last change of all files.
    private static func everything(below path: String) -> [String] {
        var found: [String] = []
        for name in DiskFixture.names(in: path).sorted() {
            var status = stat()
            lstat("\(path)/\(name)", &status)
            found.append("\(path)/\(name) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)")
            found += everything(below: "\(path)/\(name)")
        }
        return found
    }
}
