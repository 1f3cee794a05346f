import Foundation
import Testing
import WebImage
import WebImageTesting

/// One address, several answers.
@Suite struct VariantTests {
    static let address = "https://example.org/photo"

    let scene: PipelineScene

    init() throws {
        scene = try PipelineScene()
        let pictures = [
            "image/avif": try PipelineScene.png(1, 1), "image/webp": try PipelineScene.png(2, 2),
            "": try PipelineScene.png(3, 3),
        ]
        scene.transport.answer(
            Self.address,
            with: .function { request in
                let accept = request.headers["Accept"] ?? ""
                let fields = [("Cache-Control", "max-age=600"), ("Vary", "Accept")]
                return .response(200, headers: fields, body: pictures[accept] ?? pictures[""] ?? [])
            })
    }

    private func load(_ accept: String?, in pipeline: ImagePipeline) async throws -> ImageResponse {
        var request = try scene.request(Self.address)
        request.headers["Accept"] = accept
        let response = try await pipeline.response(for: request)
        await pipeline.finishWrites()
        return response
    }

    @Test("P47 P14 S041: three variants are stored, the right one is served after a restart, and they go together")
    func variants() async throws {
        let kinds: [(String?, Int)] = [("image/avif", 1), ("image/webp", 2), (nil, 3)]
        for (accept, width) in kinds {
            let response = try await load(accept, in: scene.pipeline)
            #expect(response.tier == .network && response.bitmap.width == width)
        }
        // Three variants and the list of them.
        #expect(scene.entryFiles.count == 4)
        for (accept, width) in kinds {
            let response = try await load(accept, in: scene.restarted())
            #expect(response.tier == .disk && response.bitmap.width == width)
        }
        #expect(scene.transport.requests.count == 3)
        try scene.pipeline.remove(try scene.request(Self.address))
        #expect(scene.entryFiles.isEmpty)
    }

    @Test("P47: more variants than are kept push the oldest out")
    func manyVariants() async throws {
        for index in 0..<20 { _ = try await load("image/x-\(index)", in: scene.pipeline) }
        #expect(scene.entryFiles.count == 17)
        #expect(try await load("image/x-19", in: scene.restarted()).tier == .disk)
        #expect(try await load("image/x-0", in: scene.restarted()).tier == .network)
    }

    @Test("P47: an address that stops varying leaves no variants behind")
    func stopsVarying() async throws {
        _ = try await load("image/avif", in: scene.pipeline)
        _ = try await load("image/webp", in: scene.pipeline)
        scene.transport.answer(
            Self.address,
            with: .response(200, headers: [("Cache-Control", "max-age=600")], body: try PipelineScene.png(5, 5)))
        #expect(try await load("image/jxl", in: scene.pipeline).bitmap.width == 5)
        #expect(scene.entryFiles.count == 1)
        #expect(try await load("image/avif", in: scene.restarted()).bitmap.width == 5)
    }

    @Test("P14 W023 W051: requests with other headers, other secrets or other hooks never share bytes")
    func identities() async throws {
        let address = "https://example.org/private.png"
        let red = try PipelineScene.png(4, 4)
        scene.transport.answer(address, with: .response(200, headers: [("Cache-Control", "max-age=600")], body: red))
        var plain = try scene.request(address), other = plain, hooked = plain
        plain.headers["X-User"] = "a"
        other.headers["X-User"] = "b"
        hooked.options.hooks = RequestHooks("nothing", FetchHooks())
        for request in [plain, other, hooked, plain] { _ = try await scene.pipeline.response(for: request) }
        #expect(scene.transport.requests.count == 3)
    }

    @Test("P16 C012 C003 C075: addresses that are signed anew are one picture with the right filter, two without")
    func signatures() async throws {
        let red = try PipelineScene.png(4, 4)
        func address(_ signature: String) -> String {
            "https://bucket.s3.amazonaws.com/cat.png?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=c"
                + "&X-Amz-Date=20260101T000000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=\(signature)"
        }
        for name in ["a", "b"] {
            scene.transport.answer(
                address(name), with: .response(200, headers: [("Cache-Control", "max-age=600")], body: red))
        }
        func load(_ name: String, _ filter: CacheKeyFilter) async throws -> SourceTier {
            var request = try scene.request(address(name))
            request.options.keyFilter = filter
            return try await scene.pipeline.response(for: request).tier
        }
        #expect(try await load("a", .amazonS3) == .network)
        #expect(try await load("b", .amazonS3) == .memory)
        #expect(try await load("a", .none) == .network)
        #expect(try await load("b", .none) == .network)
    }
}
