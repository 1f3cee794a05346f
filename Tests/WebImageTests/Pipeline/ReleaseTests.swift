import Testing
import WebImageTesting

@testable import WebImage

@Suite struct ReleaseTests {
    @Test("P7 P19: nothing holds on to the bytes of loads that are over, wherever they came from")
    func bytes() async throws {
        let scene = try PipelineScene()
        let picture = try PipelineScene.png(64, 48)
        for round in 0..<3 {
            // From the network, then from the disk, and then as bytes alone.
            for index in 0..<20 {
                let address = "https://example.org/\(index).png"
                scene.transport.answer(address, with: .body(picture, mediaType: "image/png"))
                var request = try scene.request(address, width: round == 0 ? nil : 10)
                request.caching.memory = []
                if round == 2 {
                    _ = try await scene.pipeline.data(for: request)
                } else {
                    request.processing = [.resize(TargetSize(width: 5))]
                    _ = try await scene.pipeline.response(for: request)
                }
            }
            await scene.pipeline.finishWrites()
            // The threads let go a moment after the tasks have heard; would hang if one did not.
            while scene.pipeline.core.backlog.counts.held > 0 { await Task.yield() }
        }
        #expect(scene.transport.requests.count == 20)
    }
}
