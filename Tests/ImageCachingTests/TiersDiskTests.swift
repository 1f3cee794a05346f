import ByteBuffers
import ImageCaching
import Testing
import WebImageTesting

/// A disk cache as a tier.
@Suite struct TiersDiskTests {
    private let fixture = DiskFixture()
    private let key = ImageCachingTests.key("a")

    @Test("P33: the exact bytes and the metadata come back from a disk that is a tier")
    func roundTrip() async throws {
        let cache = fixture.cache()
        let tiers = CacheTiers([ScriptedTier(), DiskTier(cache)])
        let original = entry(1)
        try await tiers.store(original, for: key)
        let found = try #require(try await CacheTiers([DiskTier(cache)]).entry(for: key))
        #expect(found.payload == original.payload && found.metadata == original.metadata)
        #expect(found.storedAt == fixture.now)
        #expect(try await tiers.contains(key))
        try await tiers.remove(key)
        #expect(try cache.entry(for: key) == nil)
        try await tiers.store(original, for: key)
        try await tiers.removeAll()
        #expect(try cache.entry(for: key) == nil)
        #expect(tiers.statistics.map(\.tier) == ["scripted", fixture.path])
    }

    @Test("what is too large for it is passed over, and is no failure of it")
    func tooLarge() async throws {
        let tiers = CacheTiers([DiskTier(fixture.cache { $0.maximumEntryBytes = 10 })])
        for _ in 0..<5 { try await tiers.store(entry(1), for: key) }
        #expect(tiers.statistics[0].failures == 0 && tiers.statistics[0].isWorking)
        #expect(try await tiers.entry(for: key) == nil)
    }

    @Test("P34: a folder that cannot be used is a tier that has broken down")
    func unusable() async throws {
        DiskFixture.write([1], to: fixture.root)
        let tiers = CacheTiers([DiskTier(fixture.cache())])
        for _ in 0..<5 { #expect(try await tiers.entry(for: key) == nil) }
        #expect(tiers.statistics[0].failures == 3 && tiers.statistics[0].skipped == 2)
    }
}
