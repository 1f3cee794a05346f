import Foundation
import Testing
import WebImage
import WebImageTesting

@Suite struct ObservationTests {
    static let address = "https://example.org/photo.png?token=secret"

    let scene: PipelineScene
    let picture: [UInt8]

    init() throws {
        scene = try PipelineScene()
        picture = try PipelineScene.png(64, 48)
        scene.transport.answer(
            Self.address,
            with: .response(200, headers: [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")], body: picture))
    }

    @Test("P43 W049 S097: every stage of a load is told once, with where it came from, and no secret")
    func stages() async throws {
        var request = try scene.request(Self.address, width: 10)
        request.processing = [.resize(TargetSize(width: 5))]
        _ = try await scene.pipeline.response(for: request)
        await scene.pipeline.finishWrites()
        let events = scene.events.all
        #expect(Set(events.map(\.stage)) == [.disk, .fetch, .decode, .process, .store, .load])
        #expect(events.count == 6)
        let fetch = try #require(scene.events.of(.fetch).first)
        #expect(fetch.tier == .network && fetch.byteCount == picture.count && fetch.hops == 1 && fetch.attempts == 1)
        #expect(scene.events.of(.disk).first?.tier == nil && scene.events.of(.load).first?.tier == .network)
        #expect(events.allSatisfy { $0.redactedURL == "https://example.org/photo.png?…" && $0.error == nil })
    }

    @Test("P43: memory and disk hits are told with their tier; work that is shared is told once, loads one by one")
    func tiers() async throws {
        scene.transport.gate.close()
        let tasks = try (0..<5).map { _ in scene.pipeline.task(for: try scene.request(Self.address)) }
        await scene.transport.arrivals.reaches(1)
        scene.transport.gate.open()
        for task in tasks { _ = try await task.response }
        await scene.pipeline.finishWrites()
        #expect(scene.events.of(.fetch).count == 1 && scene.events.of(.decode).count == 1)
        _ = try await scene.pipeline.response(for: try scene.request(Self.address))
        _ = try await scene.restarted().response(for: try scene.request(Self.address))
        let tiers = scene.events.of(.load).map(\.tier)
        #expect(tiers.filter { $0 == .network }.count == 5 && tiers.suffix(2) == [.memory, .disk])
        #expect(scene.events.of(.disk).last?.tier == .disk)
    }

    @Test("P43 P44: failures and cancellations are told with their code")
    func failures() async throws {
        let missing = try scene.request("https://example.org/missing.png")
        await #expect(throws: ImageError.self) { _ = try await scene.pipeline.response(for: missing) }
        #expect(
            scene.events.of(.fetch).map(\.error) == [.httpStatus]
                && scene.events.of(.load).map(\.error) == [.httpStatus])
        scene.transport.gate.close()
        let task = scene.pipeline.task(for: try scene.request(Self.address))
        task.cancel()
        #expect(scene.events.of(.load).last?.error == .cancelled)
    }

    @Test("P43: a trail says in sentences why a picture came from where it came")
    func trail() async throws {
        let request = try scene.request(Self.address)
        let first = try await scene.pipeline.response(for: request)
        await scene.pipeline.finishWrites()
        #expect(
            first.trail.sentences(tier: first.tier) == [
                "It was not in memory, or not fresh there.", "The disk cache did not have it.",
                "The origin was asked for it: status 200.",
            ])
        let disk = try await scene.restarted().response(for: request)
        #expect(
            disk.trail.sentences(tier: disk.tier) == [
                "It was not in memory, or not fresh there.", "The disk cache had it: fresh for another 60 s.",
            ])
        scene.clock.advance(by: .seconds(70))
        scene.transport.answer(Self.address, with: .response(304, headers: [("ETag", "\"1\"")]))
        let confirmed = try await scene.pipeline.response(for: request)
        #expect(
            confirmed.trail.sentences(tier: confirmed.tier).suffix(2) == [
                "The disk cache had it: stale for 10 s.",
                "The origin was asked whether it has changed: it has not (304).",
            ])
    }
}
