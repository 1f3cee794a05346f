import Foundation
import Testing
import WebImage
import WebImageTesting

/// What a pipeline is made of.
@Suite struct PartsTests {
    let scene: PipelineScene
    let picture: [UInt8]
    let memory = ImageMemoryCache(costLimit: 1 << 20)

    init() throws {
        scene = try PipelineScene()
        picture = try PipelineScene.png(8, 8)
        scene.transport.answer("https://example.org/a.png", with: .body(picture, mediaType: "image/png"))
    }

    private func tier(_ address: String, in pipeline: ImagePipeline) async throws -> SourceTier {
        var request = try scene.request(address)
        request.caching.rule = .lifetime(.seconds(1_000))
        let response = try await pipeline.response(for: request)
        await pipeline.finishWrites()
        return response.tier
    }

    @Test("C001 W048: a pipeline keeps the parts it was made with, and shares nothing that others were not given")
    func separate() async throws {
        var configuration = ImagePipeline.Configuration(memoryCache: memory, diskCache: nil, fetcher: scene.fetcher)
        configuration.wallClock = scene.clock.wall
        let pipeline = ImagePipeline(configuration: configuration)
        configuration.memoryCache = nil
        configuration.coders = CoderRegistry()
        #expect(try await tier("https://example.org/a.png", in: pipeline) == .network)
        #expect(try await tier("https://example.org/a.png", in: pipeline) == .memory)
        #expect(try await tier("https://example.org/a.png", in: scene.pipeline) == .network)
        #expect(scene.transport.requests.count == 2)
    }

    @Test("C001 C077: the parts of the shared pipeline: a memory cache of its own, the user's folder, every coder")
    func defaults() {
        let first = ImagePipeline.Configuration(), second = ImagePipeline.Configuration()
        #expect(first.memoryCache !== second.memoryCache && first.diskCache === DiskCache.standard)
        #expect(first.coders.decodableFormats == CoderRegistry.standard.decodableFormats)
        #expect(first.fetcher !== second.fetcher && first.observers.isEmpty)
    }

    @Test(
        "C002 C056 C081: another pipeline over the same caches has what the first one loaded, and a fetcher of its own")
    func shared() async throws {
        let disk = DiskCache(DiskCache.Configuration(directory: scene.directory))
        let other = ScriptedTransport()
        other.answer("https://example.org/b.png", with: .body(picture, mediaType: "image/png"))
        let fetcher = Fetcher(transports: [other], wallClock: scene.clock.wall)
        func pipeline(_ memory: ImageMemoryCache?, _ disk: DiskCache?, _ fetcher: Fetcher) -> ImagePipeline {
            var configuration = ImagePipeline.Configuration(memoryCache: memory, diskCache: disk, fetcher: fetcher)
            configuration.wallClock = scene.clock.wall
            return ImagePipeline(configuration: configuration)
        }
        let first = pipeline(memory, disk, scene.fetcher)
        #expect(try await tier("https://example.org/a.png", in: first) == .network)
        #expect(memory.count == 1)
        let both = pipeline(memory, disk, fetcher)
        #expect(try await tier("https://example.org/a.png", in: both) == .memory)
        #expect(try await tier("https://example.org/a.png", in: pipeline(nil, disk, fetcher)) == .disk)
        #expect(other.requests.isEmpty)
        #expect(try await tier("https://example.org/b.png", in: both) == .network)
        #expect(other.requests.count == 1 && scene.transport.requests.count == 1)
    }

    @Test("C057: a pipeline decodes with the coders that it was given, the last one added first")
    func coders() async throws {
        func pipeline(_ coders: CoderRegistry) -> ImagePipeline {
            ImagePipeline(
                configuration: ImagePipeline.Configuration(
                    memoryCache: nil, diskCache: nil, coders: coders, fetcher: scene.fetcher))
        }
        let request = try scene.request("https://example.org/a.png")
        let first = CountingDecoder(), last = CountingDecoder()
        _ = try await pipeline(CoderRegistry.standard.adding(first).adding(last)).response(for: request)
        #expect(first.decodes.count == 0 && last.decodes.count == 1)
        let error = await #expect(throws: ImageError.self) {
            _ = try await pipeline(CoderRegistry(decoders: [JPEGDecoder()])).response(for: request)
        }
        #expect(error?.code.rawValue == "unsupportedFormat" && error?.stage == .decode)
    }
}
