import Synchronization
import Testing
import WebImage
import WebImageTesting

/// What a program does itself on the way, seen from the whole pipeline.
@Suite struct HookTests {
    static let address = "https://example.org/photo.png"

    let scene: PipelineScene

    init() throws { scene = try PipelineScene() }

    @Test("C005 S045: a veto is asked for only when nothing cached serves; it sends nothing and is an error of its own")
    func veto() async throws {
        struct Veto: Error {}
        scene.transport.answer(Self.address, with: .body(try PipelineScene.png(8, 8), mediaType: "image/png"))
        let asked = Tally()
        var request = try scene.request(Self.address)
        request.caching.rule = .lifetime(.seconds(100))
        request.options.hooks = RequestHooks(
            "veto",
            FetchHooks(request: { request in
                asked.add()
                if asked.count > 1 { throw Veto() }
                return request
            }))
        #expect(try await scene.pipeline.response(for: request).tier == .network)
        await scene.pipeline.finishWrites()
        #expect(try await scene.pipeline.response(for: request).tier == .memory)
        #expect(try await scene.restarted().response(for: request).tier == .disk)
        #expect(asked.count == 1)
        request.caching.rule = .networkOnly
        for round in 2...3 {
            let error = await #expect(throws: ImageError.self) { _ = try await scene.pipeline.response(for: request) }
            #expect(error?.code.rawValue == "requestRefused" && error?.stage == .fetch && error?.isRetryable == false)
            #expect(asked.count == round)
        }
        #expect(scene.transport.requests.count == 1)
    }

    @Test("C170: the body's hook comes first, then the comparison with what is stored, then the decode")
    func decrypting() async throws {
        let picture = try PipelineScene.png(8, 8), larger = try PipelineScene.png(16, 8)
        let origin = VersionedOrigin(
            scene, body: picture.map { $0 ^ 0x55 }, fields: [("Cache-Control", "max-age=1")], address: Self.address)
        let calls = Tally()
        var request = try scene.request(Self.address)
        request.options.hooks = RequestHooks(
            "xor",
            FetchHooks(body: { bytes, _ in
                calls.add()
                return Bytes(bytes.array.map { $0 ^ 0x55 })
            }))
        func load() async throws -> ImageResponse {
            let response = try await scene.pipeline.response(for: request)
            await scene.pipeline.finishWrites()
            scene.clock.advance(by: .seconds(2))
            // Another tag each time, so that the bytes come again.
            origin.change { $0.tag = "\"\(calls.count + 1)\"" }
            return response
        }
        #expect(try await load().bitmap.width == 8)
        let same = try await load()
        #expect(same.tier == .network && same.freshness == .revalidated && same.byteCount == picture.count)
        #expect(calls.count == 2 && scene.coder.decodes.count == 1)
        origin.change { $0.body = larger.map { $0 ^ 0x55 } }
        let changed = try await load()
        #expect(changed.freshness == .fresh && changed.bitmap.width == 16)
        #expect(calls.count == 3 && scene.coder.decodes.count == 2)
    }
}
