import ByteBuffers
import Testing

@testable import ImageCaching

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder that others could have prepared: only this user's own is used.
@Suite struct PrivateDirectoryTests {
    let fixture = DiskFixture()

    init() throws {
        for path in [fixture.root, fixture.root + "/deep"] { try #require(mkdir(path, 0o700) == 0) }
    }

    private func cache(_ path: String? = nil) -> DiskCache {
        fixture.cache {
            $0.directory = path ?? fixture.path
            $0.requiresPrivateDirectory = true
        }
    }

    /// That a cache stores nothing, finds nothing, says so once and leaves the folder as it is.
    private func expectRefusal(_ cache: DiskCache, _ code: Int32 = EPERM) {
        let before = DiskFixture.names(in: cache.configuration.directory)
        for _ in 0..<3 {
            let error = #expect(throws: CacheError.self) { try cache.store(payload(10), for: key("a")) }
            #expect((error?.code, error?.systemCode) == (.unusableDirectory, code))
            #expect(error?.message.contains("this user's alone") == true)
            #expect(throws: CacheError.self) { try cache.entry(for: key("a")) }
        }
        #expect(fixture.warnings.count == 1)
        #expect(DiskFixture.names(in: cache.configuration.directory) == before)
    }

    @Test("A folder that is not there is made for this user alone, and used", arguments: ["", "/", "//"])
    func made(end: String) throws {
        try cache(fixture.path + end).store(payload(10), for: key("a"))
        var status = stat()
        try #require(lstat(fixture.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700 && status.st_uid == geteuid())
        #expect(try cache().entry(for: key("a"))?.payload == payload(10))
        #expect(fixture.warnings.isEmpty)
    }

    @Test("A folder of one's own that others may read is used", arguments: [0o755, 0o750, 0o500 | 0o200] as [mode_t])
    func own(mode: mode_t) throws {
        try #require(mkdir(fixture.path, 0o700) == 0 && chmod(fixture.path, mode) == 0)
        try cache().store(payload(10), for: key("a"))
        #expect(fixture.warnings.isEmpty)
    }

    @Test(
        "W033: a folder that others may write into is refused",
        arguments: [0o777, 0o1777, 0o770, 0o720, 0o702] as [mode_t])
    func writable(mode: mode_t) throws {
        try #require(mkdir(fixture.path, 0o700) == 0 && chmod(fixture.path, mode) == 0)
        expectRefusal(cache())
        // It is used as soon as it is right.
        try #require(chmod(fixture.path, 0o700) == 0)
        try cache().store(payload(10), for: key("a"))
    }

    @Test("W033: another user's folder is refused")
    func foreign() throws {
        // Only root can give a folder away; for everybody else root's own will do.
        guard geteuid() == 0 else { return expectRefusal(cache("/usr")) }
        try #require(mkdir(fixture.path, 0o700) == 0 && chown(fixture.path, 65_534, 65_534) == 0)
        expectRefusal(cache())
    }

    @Test(
        "W033: a link is refused, even to a folder of one's own, with and without a slash", arguments: ["", "/", "//"])
    func link(end: String) throws {
        try #require(mkdir(fixture.root + "/elsewhere", 0o700) == 0)
        try #require(symlink(fixture.root + "/elsewhere", fixture.path) == 0)
        expectRefusal(cache(fixture.path + end), ENOTDIR)
        #expect(DiskFixture.names(in: fixture.root + "/elsewhere").isEmpty)
    }

    @Test("W033: a link that leads nowhere makes nothing there")
    func danglingLink() throws {
        try #require(symlink(fixture.root + "/elsewhere", fixture.path) == 0)
        expectRefusal(cache(), ENOTDIR)
        #expect(Set(DiskFixture.names(in: fixture.root)) == ["deep"])
    }

    @Test("Where it is not asked for, a link may lead to the folder")
    func ordinary() throws {
        try #require(mkdir(fixture.root + "/elsewhere", 0o700) == 0)
        try #require(symlink(fixture.root + "/elsewhere", fixture.path) == 0)
        try fixture.cache().store(payload(10), for: key("a"))
        #expect(DiskFixture.names(in: fixture.root + "/elsewhere") == ["v1"])
    }
}
