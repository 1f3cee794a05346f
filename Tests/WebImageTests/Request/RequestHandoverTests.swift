import Foundation
import Synchronization
import Testing
import WebImage
import WebImageTesting

/// A request on its way through the layers.
@Suite struct RequestHandoverTests {
    static let address = "https://example.org/photo.png"

    let scene: PipelineScene

    init() throws {
        scene = try PipelineScene()
        scene.transport.answer(Self.address, with: .body(try PipelineScene.png(64, 48), mediaType: "image/png"))
    }

    @Test("S073: a request is whole when it is handed over; what becomes of it later is not sent")
    func value() async throws {
        scene.pipeline.pauseDownloads(true)
        var request = try scene.request(Self.address, width: 10)
        request.headers["X-One"] = "1"
        let task = scene.pipeline.task(for: request)
        request.headers["X-One"] = "2"
        request.target = TargetSize(width: 20)
        request.options.sensitiveHeaders = ["X-One"]
        scene.pipeline.pauseDownloads(false)
        #expect(try await task.response.bitmap.width == 10)
        #expect(task.request.headers["X-One"] == "1")
        #expect(scene.transport.requests.map { $0.headers["X-One"] } == ["1"])
        #expect(scene.transport.requests.map(\.sensitiveHeaders) == [[]])
    }

    @Test(
        "W014: one request carries its wishes to every layer: to the origin, the decoder, the steps and the observers")
    func wishes() async throws {
        var request = try scene.request(Self.address, width: 20)
        request.headers["X-Key"] = "1"
        request.options.sensitiveHeaders = ["X-Key"]
        request.options.retry = RetryPolicy(maxAttempts: 7)
        request.limits.maxSide = 4_321
        request.processing = [.resize(TargetSize(width: 5))]
        request.priority = .high
        let response = try await scene.pipeline.response(for: request)
        #expect(response.bitmap.size == PixelSize(width: 5, height: 4))
        let sent = try #require(scene.transport.requests.first)
        #expect(sent.headers["X-Key"] == "1" && sent.sensitiveHeaders == ["X-Key"] && sent.retry?.maxAttempts == 7)
        let decode = try #require(scene.coder.asked.withLock { $0.first })
        #expect(decode.limits == request.limits && decode.minimumSize == PixelSize(width: 20, height: 15))
        for stage in [PipelineEvent.Stage.disk, .fetch, .decode, .process, .load] {
            #expect(scene.events.of(stage).map(\.priority) == [.high], "\(stage)")
        }
    }
}
