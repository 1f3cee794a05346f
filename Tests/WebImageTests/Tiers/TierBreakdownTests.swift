import Foundation
import Testing
import WebImage
import WebImageTesting

/// Tiers that do not do as they should: every load has its picture.
@Suite struct TierBreakdownTests {
    let picture: [UInt8]

    init() throws {
        picture = try PipelineScene.png(8, 8)
    }

    private func scene() -> TierScene {
        let scene = TierScene()
        scene.serve(picture, ("Cache-Control", "max-age=600"))
        return scene
    }

    @Test("P34: a tier that fails, or never answers, costs a load nothing but the wait")
    func down() async throws {
        for behaviour in [ScriptedTier.Behaviour.fails, .waits, .hangs] {
            let scene = scene()
            scene.scripted[0].behaviour = behaviour
            scene.deadline.open()
            let machine = scene.machine()
            let response = try await scene.load(machine)
            #expect(response.tier == .network && response.trail.tiers == .missing && response.trail.error == nil)
            #expect(try await machine.data(for: try scene.request()).tier == .disk)
            scene.scripted[0].letGo()
        }
    }

    @Test("P34: a hundred loads while the tier is down: all have their picture, and it is asked three times")
    func manyLoads() async throws {
        let scene = scene()
        scene.scripted[0].behaviour = .fails
        let machine = scene.machine()
        for index in 0..<100 {
            let address = "https://example.org/\(index).png"
            scene.transport.answer(address, with: .body(picture, mediaType: "image/png"))
            #expect(try await machine.response(for: try scene.request(address)).tier == .network)
        }
        await machine.finishWrites()
        #expect(scene.scripted[0].calls.count == 3)
    }

    @Test(
        "W035: a tier that has something else under every key: the load gets its picture from the origin, in the same load"
    )
    func lying() async throws {
        let scene = scene()
        _ = try await scene.load(scene.machine())
        let honest = try #require(scene.scripted[0].entries.values.first)
        let junk = CacheEntry(Bytes([1, 2, 3]), metadata: honest.metadata, storedAt: honest.storedAt)
        let cut = CacheEntry(honest.payload[0..<40], metadata: honest.metadata, storedAt: honest.storedAt)
        let bare = CacheEntry(honest.payload, storedAt: 0)
        let empty = CacheEntry(Bytes(), metadata: ["varies-by": "accept", "variants": ""], storedAt: 0)
        for lie in [junk, cut, bare, empty] {
            scene.scripted[0].behaviour = .lies(lie)
            let machine = scene.machine()
            let response = try await scene.load(machine)
            #expect(response.tier == .network && response.bitmap.width == 8)
            #expect(try await scene.load(machine).tier == .memory)
            #expect(try await machine.data(for: try scene.request()).tier == .disk)
        }
    }

    @Test("what a lying tier gave as bytes is not taken a second time when no picture can be made of it")
    func lieOnDisk() async throws {
        let scene = scene()
        _ = try await scene.load(scene.machine())
        let honest = try #require(scene.scripted[0].entries.values.first)
        // Begins like a picture, so that it is kept for whoever wants only bytes.
        let cut = CacheEntry(honest.payload[0..<honest.payload.count - 20], metadata: honest.metadata, storedAt: 0)
        scene.scripted[0].behaviour = .lies(cut)
        let machine = scene.machine()
        #expect(try await machine.data(for: try scene.request()).tier == .shared)
        await machine.finishWrites()
        let response = try await scene.load(machine)
        #expect(response.tier == .network && response.bitmap.width == 8)
    }

    @Test("S044 S018: cancelled while a tier is asked, a load ends at once, and the tier is told when it listens")
    func cancelled() async throws {
        for behaviour in [ScriptedTier.Behaviour.hangs, .waits] {
            let scene = scene()
            let tier = scene.scripted[0]
            tier.behaviour = behaviour
            let machine = scene.machine()
            let task = machine.task(for: try scene.request())
            await tier.arrivals.reaches(1)
            task.cancel()
            let error = await #expect(throws: ImageError.self) { _ = try await task.response }
            #expect(error?.code == .cancelled && machine.taskCount == 0)
            // Only its cancellation ends a call that waits.
            if case .waits = behaviour { await tier.departures.reaches(1) }
            #expect(scene.transport.requests.isEmpty)
            tier.letGo()
        }
    }

    @Test("P14: many who want one picture ask a tier once")
    func coalesced() async throws {
        let scene = scene()
        _ = try await scene.load(scene.machine())
        let asked = scene.scripted[0].calls.filter { $0 == .entry }.count
        let arrived = scene.scripted[0].arrivals.count
        scene.scripted[0].behaviour = .waits
        let machine = scene.machine()
        let tasks = try (0..<20).map { _ in machine.task(for: try scene.request()) }
        await scene.scripted[0].arrivals.reaches(arrived + 1)
        scene.scripted[0].letGo()
        for task in tasks { #expect(try await task.response.tier == .shared) }
        await machine.finishWrites()
        #expect(scene.scripted[0].calls.filter { $0 == .entry }.count == asked + 1)
    }
}
