import ByteBuffers
import Testing
import WebImageTesting

@testable import ImageCaching

/// What a tier that does not do as it should does to those who ask: nothing but a miss.
@Suite struct TiersFaultTests {
    private let key = ImageCachingTests.key("a")

    private func limits(_ change: (inout TierLimits) -> Void = { _ in }) -> TierLimits {
        var limits = TierLimits()
        change(&limits)
        return limits
    }

    @Test(
        "P34 W033: a tier that fails is a miss for each operation; the others go on, and it is counted",
        arguments: [TierPolicy.serial, .concurrent])
    func failing(policy: TierPolicy) async throws {
        let fixture = TiersFixture(
            2, policies: TierPolicies(all: policy), limits: limits { $0.failuresToBreakDown = 9 })
        fixture.scripted[0].behaviour = .fails
        try await fixture.tiers.store(entry(1), for: key)
        #expect(try await fixture.tiers.entry(for: key) == entry(1))
        #expect(try await fixture.tiers.contains(key))
        try await fixture.tiers.remove(key)
        try await fixture.tiers.removeAll()
        #expect(fixture.scripted[1].entries.isEmpty)
        #expect(fixture.tiers.statistics[1].failures == 0)
        #expect(fixture.tiers.statistics[1].changes == 3 && fixture.tiers.statistics[1].hits == 1)
        if policy == .serial { #expect(fixture.tiers.statistics[0].failures == 5) }
        #expect(fixture.warnings.isEmpty)
    }

    @Test("P34: a tier that never answers is given up at its deadline", arguments: [TierPolicy.serial, .concurrent])
    func hanging(policy: TierPolicy) async throws {
        let fixture = TiersFixture(
            1, policies: TierPolicies(all: policy), limits: limits { $0.failuresToBreakDown = 9 })
        let tier = fixture.scripted[0]
        tier.behaviour = .hangs
        fixture.deadline.open()
        #expect(try await fixture.tiers.entry(for: key) == nil)
        #expect(try await fixture.tiers.contains(key) == false)
        try await fixture.tiers.store(entry(1), for: key)
        try await fixture.tiers.remove(key)
        try await fixture.tiers.removeAll()
        #expect(fixture.tiers.statistics[0].late == 5)
        tier.letGo()
        await tier.departures.reaches(tier.arrivals.count)
    }

    @Test("P34: a slow tier is cancelled at its deadline and the next one is asked")
    func slow() async throws {
        let fixture = TiersFixture(2)
        fixture.scripted[0].behaviour = .waits
        fixture.scripted[1].entries[key] = entry(2)
        let search = Task { try await fixture.tiers.hit(for: key) }
        await fixture.scripted[0].arrivals.reaches(1)
        #expect(fixture.scripted[1].calls.isEmpty)
        fixture.deadline.open()
        #expect(try await search.value?.level == 1)
        await fixture.scripted[0].departures.reaches(1)
        #expect(fixture.tiers.statistics[0].late == 1)
    }

    @Test("a tier without a deadline is waited for")
    func patient() async throws {
        let fixture = TiersFixture(1, limits: limits { $0.lookUp = nil })
        fixture.deadline.open()
        fixture.scripted[0].behaviour = .hangs
        fixture.scripted[0].entries[key] = entry(3)
        let search = Task { try await fixture.tiers.entry(for: key) }
        await fixture.scripted[0].arrivals.reaches(1)
        fixture.scripted[0].letGo()
        #expect(try await search.value == entry(3))
    }

    @Test(
        "P34: a breakdown is told once; the tier is left alone, tried once after a pause, and used again when it works")
    func breakdown() async throws {
        let fixture = TiersFixture(1)
        let tier = fixture.scripted[0]
        tier.entries[key] = entry(1)
        tier.behaviour = .fails
        for _ in 0..<10 { #expect(try await fixture.tiers.entry(for: key) == nil) }
        #expect(tier.calls.count == 3)
        #expect(fixture.warnings == [TierWarning(tier: "tier 0", reason: "The tier was told to fail.")])
        #expect(fixture.warnings[0].description.contains("tier 0"))
        #expect(fixture.tiers.statistics[0].skipped == 7 && !fixture.tiers.statistics[0].isWorking)
        // Still down at the first trial.
        fixture.clock.advance(by: .seconds(15))
        for _ in 0..<3 { #expect(try await fixture.tiers.entry(for: key) == nil) }
        #expect(tier.calls.count == 4)
        fixture.clock.advance(by: .seconds(15))
        tier.behaviour = .works
        for _ in 0..<3 { #expect(try await fixture.tiers.entry(for: key) == entry(1)) }
        #expect(fixture.tiers.statistics[0].isWorking && fixture.warnings.count == 1)
    }

    @Test("P34: a tier that comes and goes is not told of again within five minutes")
    func flapping() async throws {
        let fixture = TiersFixture(1)
        func breakDown() async throws {
            fixture.scripted[0].behaviour = .fails
            for _ in 0..<3 { _ = try await fixture.tiers.entry(for: key) }
            fixture.clock.advance(by: .seconds(15))
            fixture.scripted[0].behaviour = .works
            _ = try await fixture.tiers.entry(for: key)
        }
        for _ in 0..<5 { try await breakDown() }
        #expect(fixture.warnings.count == 1)
        fixture.clock.advance(by: .seconds(300))
        try await breakDown()
        #expect(fixture.warnings.count == 2)
    }

    @Test("no more calls than allowed are stuck in a tier, and it is asked again when they come back")
    func stuck() async throws {
        let fixture = TiersFixture(
            1,
            limits: limits {
                $0.failuresToBreakDown = 100
                $0.abandonedCalls = 4
            })
        let tier = fixture.scripted[0]
        tier.behaviour = .hangs
        fixture.deadline.open()
        for _ in 0..<20 { #expect(try await fixture.tiers.entry(for: key) == nil) }
        #expect(tier.calls.count == 4 && fixture.tiers.statistics[0].skipped == 16)
        tier.behaviour = .works
        tier.entries[key] = entry(1)
        fixture.deadline.close()
        #expect(try await fixture.tiers.entry(for: key) == nil)
        tier.letGo()
        await tier.departures.reaches(4)
        // The calls tell of their return a moment after it.
        var found: CacheEntry?
        while found == nil {
            found = try await fixture.tiers.entry(for: key)
            await Task.yield()
        }
        #expect(found == entry(1))
    }

    @Test("a tier that says it has everything and keeps nothing disturbs nobody")
    func lying() async throws {
        let fixture = TiersFixture(2)
        fixture.scripted[0].behaviour = .lies(entry(66))
        try await fixture.tiers.store(entry(1), for: key)
        #expect(fixture.scripted.map { $0.entries.count } == [0, 1])
        #expect(try await fixture.tiers.entry(for: key) == entry(66))
        #expect(fixture.warnings.isEmpty)
    }

    @Test("W035: of an entry that was sent on, a flipped bit in any byte or another key is noticed")
    func transfer() throws {
        let original = CacheEntry(payload(300), metadata: ["etag": "\"1\""], storedAt: 42)
        let bytes = try original.transferBytes(for: key)
        #expect(CacheEntry(transferBytes: bytes, for: key) == original)
        #expect(CacheEntry(transferBytes: bytes, for: ImageCachingTests.key("b")) == nil)
        for index in 0..<bytes.count {
            var damaged = bytes.array
            damaged[index] ^= 1 << UInt8(index % 8)
            #expect(CacheEntry(transferBytes: Bytes(damaged), for: key) == nil)
            #expect(CacheEntry(transferBytes: bytes[0..<index], for: key) == nil)
        }
    }

    @Test("W035: what a tier is sent is what the disk cache writes, byte by byte")
    func transferIsTheFile() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache()
        try cache.store(payload(5_000), metadata: ["a": "b"], for: key)
        let stored = try #require(try cache.entry(for: key))
        #expect(try stored.transferBytes(for: key).array == DiskFixture.read(fixture.file(of: key)))
    }
}
