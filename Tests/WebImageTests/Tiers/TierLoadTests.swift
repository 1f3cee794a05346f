import Foundation
import Testing
import WebImage
import WebImageTesting

/// Loads through memory, disk, tiers and origin.
@Suite struct TierLoadTests {
    let picture: [UInt8]

    init() throws {
        picture = try PipelineScene.png(8, 8)
    }

    @Test("P33: what one machine has loaded another gets from the tier, byte by byte, and keeps on its disk")
    func shared() async throws {
        let scene = TierScene()
        scene.serve(picture, ("Cache-Control", "max-age=600"))
        #expect(try await scene.load(scene.machine()).tier == .network)
        #expect(scene.scripted[0].entries.values.map(\.payload) == [Bytes(picture)])
        let other = scene.machine()
        let response = try await scene.load(other)
        #expect(response.tier == .shared && response.freshness == .fresh)
        #expect(response.trail.disk == .missing && response.trail.tiers == .found)
        #expect(
            response.trail.sentences(tier: response.tier) == [
                "It was not in memory, or not fresh there.", "The disk cache did not have it.",
                "A tier behind the disk had it: fresh for another 600 s.",
            ])
        #expect(response.timings.tiers == .zero && response.timings.fetch == nil)
        #expect(try await scene.load(other).tier == .memory)
        let calls = scene.scripted[0].calls.count
        let bytes = try await other.data(for: try scene.request())
        #expect(bytes.tier == .disk && bytes.bytes == Bytes(picture))
        #expect(scene.scripted[0].calls.count == calls)
        #expect(scene.transport.requests.count == 1)
        #expect(scene.events.of(.tiers).map(\.tier) == [nil, .shared])
        // The disk and the tier of the first machine, in that order, then the disk of the second.
        #expect(scene.events.of(.store).map(\.tier) == [.disk, .shared, .disk])
    }

    @Test("a hit in the lower of two tiers is copied into the higher one and onto the disk")
    func copiedUp() async throws {
        let scene = TierScene(2)
        scene.serve(picture, ("Cache-Control", "max-age=600"))
        _ = try await scene.load(scene.machine())
        scene.scripted[0].entries = [:]
        #expect(try await scene.load(scene.machine()).tier == .shared)
        #expect(scene.scripted[0].entries == scene.scripted[1].entries && scene.scripted[0].entries.count == 1)
        #expect(scene.scripted[1].calls.filter { $0 == .store }.count == 1)
    }

    @Test("C132: what comes from the origin goes to the tiers that the policy names")
    func storePolicy() async throws {
        let scene = TierScene(2)
        scene.serve(picture, ("Cache-Control", "max-age=600"))
        var policies = TierPolicies()
        policies.store = .lowestOnly
        _ = try await scene.load(scene.machine(policies: policies))
        #expect(scene.scripted.map(\.entries.count) == [0, 1])
    }

    @Test("a machine without a disk lives on tiers alone")
    func noDisk() async throws {
        let scene = TierScene()
        scene.serve(picture, ("Cache-Control", "max-age=600"))
        #expect(try await scene.load(scene.machine(hasDisk: false)).tier == .network)
        let again = try await scene.load(scene.machine(hasDisk: false))
        #expect(again.tier == .shared && again.trail.disk == .notAsked && again.timings.disk == nil)
        #expect(scene.events.of(.disk).isEmpty && scene.transport.requests.count == 1)
    }

    @Test("P47: the variants of an address are shared, each to whom it answers, and go together")
    func variants() async throws {
        let scene = TierScene()
        let wide = try PipelineScene.png(16, 4)
        scene.transport.answer(
            TierScene.address,
            with: .function { [picture] request in
                let fields = [("Cache-Control", "max-age=600"), ("Vary", "Accept")]
                return .response(200, headers: fields, body: request.headers["Accept"] == "a" ? wide : picture)
            })
        for _ in 0..<2 {
            let machine = scene.machine()
            #expect(try await scene.load(machine) { $0.headers["Accept"] = "a" }.bitmap.width == 16)
            #expect(try await scene.load(machine) { $0.headers["Accept"] = "b" }.bitmap.width == 8)
        }
        #expect(scene.transport.requests.count == 2)
        #expect(scene.scripted[0].entries.count == 3)
        let machine = scene.machine()
        try machine.remove(try scene.request())
        await machine.finishWrites()
        #expect(scene.scripted[0].entries.isEmpty)
    }

    @Test("a stale entry is confirmed by a condition, and the newer answer is there for all")
    func confirmed() async throws {
        let scene = TierScene()
        scene.serve(picture, ("Cache-Control", "max-age=60"), ("ETag", "\"1\""))
        let first = scene.machine(), second = scene.machine()
        _ = try await scene.load(first)
        scene.clock.advance(by: .seconds(100))
        scene.transport.answer(
            TierScene.address, with: .response(304, headers: [("ETag", "\"1\""), ("Cache-Control", "max-age=60")]))
        let response = try await scene.load(second)
        #expect(response.tier == .shared && response.freshness == .revalidated)
        #expect(scene.transport.requests.last?.headers["If-None-Match"] == "\"1\"")
        // The first machine's own copy is stale; the tier has the newer one, and the origin is not asked.
        let again = try await scene.load(first)
        #expect(again.tier == .shared && again.freshness == .fresh && again.trail.disk == .found)
        #expect(again.trail.sentences(tier: again.tier)[1] == "The disk cache had an older one.")
        #expect(scene.transport.requests.count == 2)
    }

    @Test("S050: offline, what a tier has is used, and what it lacks is an error")
    func cacheOnly() async throws {
        let scene = TierScene()
        scene.serve(picture, ("Cache-Control", "max-age=60"))
        await #expect(throws: ImageError.self) {
            _ = try await scene.load(scene.machine()) { $0.caching.rule = .cacheOnly }
        }
        _ = try await scene.load(scene.machine())
        scene.clock.advance(by: .seconds(3_600))
        let response = try await scene.load(scene.machine()) { $0.caching.rule = .cacheOnly }
        #expect(response.tier == .shared && response.freshness == .stale)
        #expect(scene.transport.requests.count == 1)
    }

    @Test(
        "what a shared cache may not keep goes to no tier (RFC 9111 §3.5, §5.2.2.7)",
        arguments: [
            ("private, max-age=600", nil, 0), ("no-store", nil, 0), ("max-age=600", "Bearer x", 0),
            ("public, max-age=600", "Bearer x", 1), ("max-age=600, must-revalidate", "Bearer x", 1),
            ("max-age=600", nil, 1), ("Private=\"x\", max-age=600", nil, 0),
        ] as [(String, String?, Int)])
    func mayBeShared(control: String, authorization: String?, count: Int) async throws {
        let scene = TierScene()
        scene.serve(picture, ("Cache-Control", control))
        _ = try await scene.load(scene.machine()) { $0.headers["Authorization"] = authorization }
        #expect(scene.scripted[0].entries.count == count)
    }

    @Test("requests that read or write no cache ask and fill no tier; a reload fills them")
    func access() async throws {
        let scene = TierScene()
        scene.serve(picture, ("Cache-Control", "max-age=600"))
        _ = try await scene.load(scene.machine()) { $0.caching = .bypass }
        #expect(scene.scripted[0].calls.isEmpty)
        _ = try await scene.load(scene.machine()) { $0.caching = .reload }
        #expect(scene.scripted[0].calls == [.store])
    }
}
