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

@Suite struct NamespaceTests {
    static let hostile = [
        "", ".", "..", "/", "a/../../b", "/etc/passwd", "\0", "a\0b", "v1", "tmp", "partial", "namespaces", "%", "%2e",
        "=",
        "A", "a", "é", "e\u{301}", "🐈‍⬛", "a b", "\n", "-", "~", "*", String(repeating: "x", count: 200),
        String(repeating: "x", count: 201), String(repeating: "x", count: 8_192), String(repeating: "🦊", count: 2_048),
        String(repeating: "../", count: 2_730),
    ]

    @Test("S124 C079: the same key in two namespaces and in none are three entries, with counts of their own")
    func sameKey() throws {
        let fixture = DiskFixture()
        let caches = [nil, "one", "two"].map { name in fixture.cache { $0.namespace = name } }
        for (index, cache) in caches.enumerated() { try cache.store(payload(100 + index), for: key("a")) }
        for (index, cache) in caches.enumerated() {
            #expect(try cache.entry(for: key("a"))?.payload == payload(100 + index))
            #expect((cache.statistics().entries, cache.statistics().bytes) == (1, 4_096))
        }
        try caches[1].remove(key("a"))
        #expect(try caches[1].entry(for: key("a")) == nil)
        #expect(try caches[0].entry(for: key("a")) != nil && caches[2].entry(for: key("a")) != nil)
    }

    @Test("S124: removing all of a namespace, or all outside of them, leaves every other one", arguments: 0..<3)
    func removingOne(_ index: Int) throws {
        let fixture = DiskFixture()
        let caches = [nil, "one", "two"].map { name in fixture.cache { $0.namespace = name } }
        for cache in caches { for number in 0..<10 { try cache.store(payload(10), for: key("\(number)")) } }
        #expect(try caches[index].removeAll().entries == 10)
        #expect(caches.map { $0.statistics().entries } == (0..<3).map { $0 == index ? 0 : 10 })
        // And one that is swept to nothing.
        for cache in caches { try cache.store(payload(10), for: key("0")) }
        fixture.advance(1_000)
        let name = caches[index].configuration.namespace
        let old = fixture.cache {
            $0.namespace = name
            $0.maximumAge = .seconds(1)
        }
        #expect(try old.sweep().expired == 1)
        #expect(caches.map { $0.statistics().entries } == (0..<3).map { $0 == index ? 0 : 10 })
    }

    @Test("S124 C079: a namespace stays inside the cache's folder, whatever it is called", arguments: hostile)
    func hostileName(_ name: String) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache { $0.namespace = name }
        try cache.store(payload(7), for: key("a"))
        #expect(try cache.entry(for: key("a"))?.payload == payload(7))
        #expect(try fixture.cache().entry(for: key("a")) == nil)
        // Outside of it there is nothing but its parents: each folder has one thing in it.
        #expect(DiskFixture.names(in: fixture.root) == ["deep"])
        #expect(DiskFixture.names(in: fixture.root + "/deep") == ["cache"])
        #expect(Set(DiskFixture.names(in: fixture.path)) == ["namespaces", "v1"])
        let folders = DiskFixture.names(in: fixture.path + "/namespaces")
        try #require(folders.count == 1 && folders[0].utf8.count <= 200)
        #expect(cache.configuration.path == "\(fixture.path)/namespaces/\(folders[0])")
        #expect(DiskFixture.names(in: cache.configuration.path) == ["v1"])
    }

    @Test("No two names meet in one folder, not even where capitals do not count")
    func distinctFolders() {
        let names = Self.hostile.map { NamespaceFolder.name(of: $0) }
        #expect(Set(names.map { $0.lowercased() }).count == Self.hostile.count)
        #expect(names.allSatisfy { $0 == $0.lowercased() && $0.utf8.allSatisfy { $0 > 32 && $0 < 127 } })
        #expect(NamespaceFolder.name(of: "user-42") == "user-42" && NamespaceFolder.name(of: "A/é") == "%41%2f%c3%a9")
        // A hash and an encoding that looks like one.
        #expect(NamespaceFolder.name(of: "=" + String(repeating: "0", count: 64)).hasPrefix("%3d0"))
    }

    @Test("A link in the place of a namespace's folder is not followed")
    func link() throws {
        let fixture = DiskFixture()
        try fixture.cache().store(payload(1), for: key("a"))
        mkdir(fixture.root + "/elsewhere", 0o700)
        mkdir(fixture.path + "/namespaces", 0o700)
        #expect(symlink(fixture.root + "/elsewhere", fixture.path + "/namespaces/one") == 0)
        let cache = fixture.cache { $0.namespace = "one" }
        #expect(throws: CacheError.self) { try cache.store(payload(1), for: key("a")) }
        #expect(DiskFixture.names(in: fixture.root + "/elsewhere").isEmpty)
        #expect(fixture.warnings.map(\.directory) == [cache.configuration.path])
    }
}
