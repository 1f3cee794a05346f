import ImageCaching
import Testing
import WebImageTesting

/// Whom an operation goes to, and in which order.
@Suite struct TiersPolicyTests {
    private let key = ImageCachingTests.key("a")

    @Test(
        "C130 W011: a list without caches answers: nothing is found, and changes are done at once",
        arguments: TierPolicy.allCases)
    func none(policy: TierPolicy) async throws {
        let fixture = TiersFixture(0, policies: TierPolicies(all: policy))
        #expect(fixture.tiers.isEmpty)
        #expect(try await fixture.tiers.entry(for: key) == nil)
        #expect(try await fixture.tiers.contains(key) == false)
        try await fixture.tiers.store(entry(1), for: key)
        try await fixture.tiers.remove(key)
        try await fixture.tiers.removeAll()
    }

    @Test("C130: with a single cache all policies are the same", arguments: TierPolicy.allCases)
    func single(policy: TierPolicy) async throws {
        let fixture = TiersFixture(1, policies: TierPolicies(all: policy))
        try await fixture.tiers.store(entry(1), for: key)
        #expect(try await fixture.tiers.entry(for: key) == entry(1))
        #expect(try await fixture.tiers.contains(key))
        try await fixture.tiers.remove(key)
        #expect(try await fixture.tiers.contains(key) == false)
        try await fixture.tiers.store(entry(2), for: key)
        try await fixture.tiers.removeAll()
        #expect(fixture.scripted[0].entries.isEmpty)
        #expect(fixture.scripted[0].calls == [.store, .entry, .contains, .remove, .contains, .store, .removeAll])
    }

    @Test("C131: in turn, the first that has it ends the search, and nothing is copied up unasked")
    func serialQuery() async throws {
        let fixture = TiersFixture(3)
        fixture.scripted[1].entries[key] = entry(1)
        fixture.scripted[2].entries[key] = entry(2)
        let hit = try await fixture.tiers.hit(for: key)
        #expect(hit?.entry == entry(1) && hit?.level == 1)
        #expect(fixture.scripted.map(\.calls) == [[.entry], [.entry], []])
        #expect(fixture.scripted[0].entries.isEmpty)
    }

    @Test("C131: a hit is copied to all tiers above it when that is asked for, and to no other")
    func copyUp() async throws {
        let fixture = TiersFixture(4)
        fixture.scripted[2].entries[key] = entry(7)
        let hit = try #require(try await fixture.tiers.hit(for: key))
        try await fixture.tiers.copyUp(hit, for: key)
        #expect(fixture.scripted.map { $0.entries[key] } == [entry(7), entry(7), entry(7), nil])
        #expect(fixture.scripted[2].calls == [.entry])
    }

    @Test("C131: at once, the first that has it wins and the losers are told to stop")
    func concurrentQuery() async throws {
        let fixture = TiersFixture(3, policies: TierPolicies(all: .concurrent))
        fixture.scripted[0].behaviour = .waits
        fixture.scripted[2].behaviour = .waits
        fixture.scripted[1].entries[key] = entry(1)
        let hit = try await fixture.tiers.hit(for: key)
        #expect(hit?.entry == entry(1) && hit?.level == 1)
        // Nothing lets them go but their cancellation. One that was not asked yet is not asked any more.
        for tier in [fixture.scripted[0], fixture.scripted[2]] {
            await tier.departures.reaches(tier.arrivals.count)
            #expect(tier.calls.count <= 1)
        }
        #expect(fixture.warnings.isEmpty)
    }

    @Test("C131: at once and nowhere, it is nil after all have answered")
    func concurrentMiss() async throws {
        let fixture = TiersFixture(3, policies: TierPolicies(all: .concurrent))
        #expect(try await fixture.tiers.hit(for: key) == nil)
        #expect(fixture.scripted.map(\.calls) == [[.entry], [.entry], [.entry]])
        #expect(fixture.tiers.statistics.map(\.misses) == [1, 1, 1])
    }

    @Test("C132: in turn, storing waits for each before it goes on")
    func serialStore() async throws {
        var policies = TierPolicies()
        policies.store = .serial
        let fixture = TiersFixture(2, policies: policies)
        fixture.scripted[0].behaviour = .hangs
        let store = Task { try await fixture.tiers.store(entry(1), for: key) }
        await fixture.scripted[0].arrivals.reaches(1)
        #expect(fixture.scripted[1].calls.isEmpty)
        fixture.scripted[0].letGo()
        try await store.value
        #expect(fixture.scripted.map { $0.entries[key] } == [entry(1), entry(1)])
    }

    @Test("C131 C132 C133 C134 C135: what each operation does by default")
    func defaults() {
        let policies = TierPolicies()
        #expect(policies.query == .serial && policies.contains == .serial)
        #expect(policies.store == .concurrent && policies.remove == .concurrent && policies.clear == .concurrent)
    }

    /// Every mixture of policies, on random contents, against what the words say.
    @Test(
        "W005 C132 C133 C134 C135: each operation obeys its own policy and no other",
        arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        func policy() -> TierPolicy { TierPolicy.allCases.randomElement(using: &random) ?? .serial }
        for _ in 0..<20 {
            var policies = TierPolicies()
            policies.query = policy()
            policies.contains = policy()
            policies.store = policy()
            policies.remove = policy()
            policies.clear = policy()
            let count = Int.random(in: 1...4, using: &random)
            let fixture = TiersFixture(count, policies: policies)
            var model = (0..<count).map { _ in [DiskKey: CacheEntry]() }
            let keys = (0..<3).map { ImageCachingTests.key("\($0)") }
            for index in 0..<count {
                for key in keys where Bool.random(using: &random) {
                    model[index][key] = entry(UInt64(index) + 10)
                }
                fixture.scripted[index].entries = model[index]
            }
            for step in 0..<12 {
                let key = keys[Int.random(in: 0..<3, using: &random)]
                let operation = Int.random(in: 0..<5, using: &random)
                switch operation {
                case 0:
                    let having = places(policies.query, count).compactMap { model[$0][key] }
                    let found = try await fixture.tiers.entry(for: key)
                    if policies.query == .concurrent {
                        #expect(having.isEmpty ? found == nil : found.map(having.contains) == true)
                    } else {
                        #expect(found == having.first)
                    }
                case 1:
                    let isThere = places(policies.contains, count).contains { model[$0][key] != nil }
                    #expect(try await fixture.tiers.contains(key) == isThere)
                case 2:
                    for index in places(policies.store, count) { model[index][key] = entry(UInt64(step)) }
                    try await fixture.tiers.store(entry(UInt64(step)), for: key)
                case 3:
                    for index in places(policies.remove, count) { model[index][key] = nil }
                    try await fixture.tiers.remove(key)
                default:
                    for index in places(policies.clear, count) { model[index] = [:] }
                    try await fixture.tiers.removeAll()
                }
                #expect(fixture.scripted.map(\.entries) == model, "\(policies), operation \(operation)")
            }
        }
    }

    private func places(_ policy: TierPolicy, _ count: Int) -> [Int] {
        switch policy {
        case .highestOnly: [0]
        case .lowestOnly: [count - 1]
        case .serial, .concurrent: Array(0..<count)
        }
    }
}
