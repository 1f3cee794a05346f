import Foundation
import Testing
import WebImage
import WebImageTesting

@Suite struct PipelineAttachmentTests {
    let scene: PipelineScene
    let red: [UInt8], wide: [UInt8]

    init() throws {
        scene = try PipelineScene()
        red = try PipelineScene.png(8, 8)
        wide = try PipelineScene.png(16, 8)
    }

    private func load(_ request: ImageRequest) async throws -> ImageResponse {
        let response = try await scene.pipeline.response(for: request)
        await scene.pipeline.finishWrites()
        return response
    }

    @Test("C087 C315: what a program attaches stays through a restart and a 304, and goes when the picture changes")
    func lifetime() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=60")])
        let request = try scene.request(origin.address)
        #expect(try !scene.pipeline.setAttachment([1, 2], named: "hash", of: request))
        _ = try await load(request)
        #expect(try scene.pipeline.setAttachment([1, 2], named: "hash", of: request))
        #expect(scene.restarted().attachment("hash", of: request) == [1, 2])
        #expect(scene.pipeline.attachment("other", of: request) == nil)
        scene.clock.advance(by: .seconds(61))
        #expect(try await load(request).freshness == .revalidated)
        #expect(scene.pipeline.attachment("hash", of: request) == [1, 2])
        scene.clock.advance(by: .seconds(61))
        origin.change { ($0.tag, $0.body) = ("\"2\"", wide) }
        #expect(try await load(request).bitmap.width == 16)
        #expect(scene.pipeline.attachment("hash", of: request) == nil)
    }

    @Test("C087: each variant of an address has attachments of its own; taking one away leaves the picture")
    func variants() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=60"), ("Vary", "Accept")])
        var requests: [ImageRequest] = []
        for type in ["image/png", "image/webp"] {
            var request = try scene.request(origin.address)
            request.headers["Accept"] = type
            requests.append(request)
            _ = try await load(request)
        }
        #expect(try scene.pipeline.setAttachment([1], named: "a", of: requests[0]))
        #expect(try scene.pipeline.setAttachment([2], named: "a", of: requests[1]))
        #expect(requests.map { scene.pipeline.attachment("a", of: $0) } == [[1], [2]])
        #expect(try scene.pipeline.setAttachment(nil, named: "a", of: requests[0]))
        #expect(requests.map { scene.pipeline.attachment("a", of: $0) } == [nil, [2]])
        let again = try await scene.restarted().response(for: requests[0])
        #expect(again.tier == .disk && scene.transport.requests.count == 2)
    }
}
