import Foundation
import Testing
import WebImage
import WebImageTesting

@Suite struct ImagePrefetcherTests {
    let scene: PipelineScene
    let picture: [UInt8]

    init() throws {
        scene = try PipelineScene()
        picture = try PipelineScene.png(8, 8)
    }

    private func address(_ index: Int) -> String { "https://example.org/\(index).png" }

    private func urls(_ count: Int) -> [URL] { (0..<count).compactMap { URL(string: address($0)) } }

    @Test("P42 C284 C286: 10,000 addresses, 30 % of them failing, come to an end with the right figures")
    func many() async throws {
        let prefetcher = ImagePrefetcher(pipeline: scene.pipeline, depth: .pictures, maxConcurrent: 6)
        for index in 0..<10_000 where index % 10 >= 3 {
            scene.transport.answer(address(index), with: .body(picture, mediaType: "image/png"))
        }
        let summary = await prefetcher.prefetch(urls: urls(10_000)).summary
        #expect(summary.loaded == 7_000 && summary.failed == 3_000 && summary.cancelled == 0)
        #expect(scene.transport.requests.count == 10_000)
    }

    @Test("P42 S151: bytes only: the disk has them, memory is not touched, nothing is decoded")
    func bytesOnly() async throws {
        for index in 0..<5 { scene.transport.answer(address(index), with: .body(picture, mediaType: "image/png")) }
        let summary = await ImagePrefetcher(pipeline: scene.pipeline).prefetch(urls: urls(5)).summary
        #expect(summary.loaded == 5 && scene.coder.decodes.count == 0)
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles.count == 5)
        let request = try scene.request(address(3))
        #expect(scene.pipeline.cachedResponse(for: request) == nil)
        #expect(try await scene.pipeline.response(for: request).tier == .disk)
        #expect(scene.transport.requests.count == 5)
    }

    @Test("S152 C282: a batch is a list of addresses or of requests, each with its own size, fields and policy")
    func entryPoints() async throws {
        for index in 0..<3 { scene.transport.answer(address(index), with: .body(picture, mediaType: "image/png")) }
        let prefetcher = ImagePrefetcher(pipeline: scene.pipeline, depth: .pictures)
        #expect(await prefetcher.prefetch(urls: urls(1)).summary.loaded == 1)
        var small = try scene.request(address(1), width: 4), plain = try scene.request(address(2))
        small.headers["X-One"] = "1"
        plain.caching.disk = []
        #expect(await prefetcher.prefetch([small, plain]).summary.loaded == 2)
        await scene.pipeline.finishWrites()
        #expect(scene.pipeline.cachedResponse(for: try scene.request(address(0)))?.bitmap.width == 8)
        #expect(scene.pipeline.cachedResponse(for: small)?.bitmap.width == 4)
        #expect(scene.pipeline.cachedResponse(for: plain)?.bitmap.width == 8)
        #expect(scene.entryFiles.count == 2)
        let sent = scene.transport.requests.map { $0.url.path + ($0.headers["X-One"] ?? "") }
        #expect(sent.sorted() == ["/0.png", "/1.png1", "/2.png"])
    }

    @Test("P10 P31: what is no picture is not kept by a prefetch of bytes either, and counts as failed")
    func noPicture() async throws {
        scene.transport.answer(address(0), with: .body(Array("<html>sign in</html>".utf8), mediaType: "image/png"))
        #expect(await ImagePrefetcher(pipeline: scene.pipeline).prefetch(urls: urls(1)).summary.failed == 1)
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles.isEmpty)
    }

    @Test("C284: an empty batch is over at once; a later batch does not cancel an earlier one")
    func empty() async {
        let prefetcher = ImagePrefetcher(pipeline: scene.pipeline)
        #expect(await prefetcher.prefetch([]).summary.total == 0)
        scene.transport.gate.close()
        let first = prefetcher.prefetch(urls: urls(2))
        let second = prefetcher.prefetch(urls: urls(1))
        await scene.transport.arrivals.reaches(1)
        scene.transport.gate.open()
        #expect(await first.summary.ended == 2)
        #expect(await second.summary.cancelled == 0)
    }

    @Test("P42 C288 W011: cancelling a batch, or one item, ends exactly that, and everybody who waits is told")
    func cancel() async {
        scene.transport.gate.close()
        let prefetcher = ImagePrefetcher(pipeline: scene.pipeline, maxConcurrent: 2)
        let batch = prefetcher.prefetch(urls: urls(10))
        let other = prefetcher.prefetch(urls: [URL(fileURLWithPath: "/nowhere/at/all")])
        await scene.transport.arrivals.reaches(2)
        batch.cancel(at: 0)
        batch.cancel(at: 9)
        await scene.transport.arrivals.reaches(3)
        batch.cancel()
        #expect(await batch.summary.cancelled == 10)
        #expect(await other.summary.failed == 1)
        // Items 0, 1 and 2 ran, and whatever began in the moment of the cancellation; the last item never did.
        #expect(!scene.transport.requests.contains { $0.url.path == "/9.png" })
    }

    @Test("S151 P13: a load of a picture that is being prefetched joins it and makes it urgent")
    func shared() async throws {
        scene.transport.answer(address(0), with: .body(picture, mediaType: "image/png"))
        scene.transport.gate.close()
        let batch = ImagePrefetcher(pipeline: scene.pipeline).prefetch(urls: urls(1))
        await scene.transport.arrivals.reaches(1)
        let task = scene.pipeline.task(for: try scene.request(address(0)))
        batch.cancel()
        scene.transport.gate.open()
        #expect(try await task.response.bitmap.width == 8)
        #expect(await batch.summary.cancelled == 1)
        #expect(scene.transport.requests.count == 1)
    }

    @Test("C285 C287: updates end with the final figures")
    func updates() async {
        var last: PrefetchProgress?
        for await progress in ImagePrefetcher(pipeline: scene.pipeline).prefetch(urls: urls(20)).updates {
            #expect((last?.ended ?? 0) <= progress.ended)
            last = progress
        }
        #expect(last?.isOver == true && last?.failed == 20)
    }

    @Test("C286 P42: every item says once how it ended, also to whoever asks late")
    func outcomes() async throws {
        for index in 0..<6 where index % 3 != 0 {
            scene.transport.answer(address(index), with: .body(picture, mediaType: "image/png"))
        }
        scene.transport.answer(address(3), with: .body(Array("<html>".utf8), mediaType: "image/png"))
        let batch = ImagePrefetcher(pipeline: scene.pipeline).prefetch(urls: urls(6))
        for _ in 0..<2 {
            var ends: [(index: Int, end: String)] = []
            for await outcome in batch.outcomes {
                switch outcome.result {
                case .success(let tier): ends.append((outcome.index, tier.rawValue))
                case .failure(let error): ends.append((outcome.index, error.code.rawValue))
                }
            }
            ends.sort { $0.index < $1.index }
            try #require(ends.map(\.index) == [0, 1, 2, 3, 4, 5])
            #expect(ends[1...].map(\.end) == ["network", "network", "notAnImage", "network", "network"])
            #expect(ends[0].end != "network")
        }
    }

    @Test("C288: what is cancelled while it runs ends so; what never had its turn has no outcome")
    func cancelledOutcomes() async {
        scene.transport.gate.close()
        let batch = ImagePrefetcher(pipeline: scene.pipeline, maxConcurrent: 1).prefetch(urls: urls(3))
        await scene.transport.arrivals.reaches(1)
        batch.cancel()
        var ended: [Int: ImageError.Code] = [:]
        for await outcome in batch.outcomes {
            if case .failure(let error) = outcome.result { ended[outcome.index] = error.code }
        }
        #expect(ended == [0: .cancelled])
        scene.transport.gate.open()
    }
}
