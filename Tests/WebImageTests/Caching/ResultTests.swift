import Foundation
import Synchronization
import Testing
import WebImage
import WebImageTesting

/// Finished pictures on disk, by policy.
@Suite struct ResultTests {
    let scene: PipelineScene
    let origin: VersionedOrigin

    init() throws {
        scene = try PipelineScene()
        origin = VersionedOrigin(
            scene, body: try PipelineScene.png(40, 20), fields: [("Cache-Control", "max-age=600")])
    }

    private func request(_ content: CachePolicy.DiskContent, width: Int? = 10) throws -> ImageRequest {
        var request = try scene.request(origin.address, width: width)
        request.caching.diskContent = content
        return request
    }

    private func load(_ request: ImageRequest, in pipeline: ImagePipeline) async throws -> ImageResponse {
        let response = try await pipeline.response(for: request)
        await pipeline.finishWrites()
        return response
    }

    @Test(
        "C018 C019 C071 W001: originals, results, both or none are on disk, as the request says",
        arguments: [
            (CachePolicy.DiskContent.originals, 1), (.results, 2), (.all, 3), (CachePolicy.DiskContent(), 0),
        ])
    func contents(content: CachePolicy.DiskContent, files: Int) async throws {
        let first = try await load(try request(content), in: scene.pipeline)
        #expect(first.tier == .network && first.bitmap.size == PixelSize(width: 10, height: 5))
        // A result has a list beside it.
        #expect(scene.entryFiles.count == files)
        let again = try await load(try request(content), in: scene.restarted())
        #expect(again.tier == (content.isEmpty ? .network : .disk))
        #expect(scene.transport.requests.count == (content.isEmpty ? 2 : 1))
        #expect(again.bitmap.pixels == first.bitmap.pixels)
        #expect(again.bitmap.format == first.bitmap.format)
        #expect(again.info == first.info && again.byteCount == first.byteCount)
    }

    @Test("C015: a result is found before the original, and only by those who keep results")
    func order() async throws {
        _ = try await load(try request(.all), in: scene.pipeline)
        let size = PixelSize(width: 10, height: 5)
        let asked = scene.coder.asked.withLock { $0.count }
        _ = try await load(try request(.all), in: scene.restarted())
        // The result has the wanted size itself; nothing was shrunk to it.
        #expect(scene.coder.asked.withLock { $0.count } == asked + 1)
        #expect(scene.coder.asked.withLock { $0.last?.minimumSize } == nil)
        _ = try await load(try request(.originals), in: scene.restarted())
        #expect(scene.coder.asked.withLock { $0.last?.minimumSize } == size)
        // Another size is made of the original.
        let other = try await load(try request(.all, width: 20), in: scene.restarted())
        #expect(other.tier == .disk && other.bitmap.width == 20)
        #expect(scene.transport.requests.count == 1)
    }

    @Test("S023 P33: a result that came from the disk is not written again")
    func onlyOnce() async throws {
        _ = try await load(try request(.results), in: scene.pipeline)
        #expect(scene.events.of(.store).count == 1)
        _ = try await load(try request(.results), in: scene.restarted())
        #expect(scene.events.of(.store).count == 1)
    }

    @Test("W001: a result lives as long as HTTP lets the original live, and is then made anew")
    func freshness() async throws {
        _ = try await load(try request(.all), in: scene.pipeline)
        scene.clock.advance(by: .seconds(601))
        origin.change { $0.body = (try? PipelineScene.png(80, 20)) ?? [] }
        // Not changed, says the origin.
        let confirmed = try await load(try request(.all), in: scene.restarted())
        #expect(confirmed.freshness == .revalidated && confirmed.bitmap.height == 5)
        // The result that is written then is fresh again.
        let fresh = try await load(try request(.all), in: scene.restarted())
        #expect(fresh.tier == .disk && fresh.freshness == .fresh)
        #expect(scene.transport.requests.count == 2)
        scene.clock.advance(by: .seconds(601))
        origin.change { $0.tag = "\"2\"" }
        let changed = try await load(try request(.all), in: scene.restarted())
        #expect(changed.tier == .network && changed.info.size.width == 80)
        #expect(try await load(try request(.all), in: scene.restarted()).info.size.width == 80)
        #expect(scene.entryFiles.count == 3)
    }

    @Test("C096: removing an address removes every result of it")
    func removal() async throws {
        for width in [5, 10, 20] { _ = try await load(try request(.all, width: width), in: scene.pipeline) }
        #expect(scene.entryFiles.count == 5)
        try scene.pipeline.remove(try scene.request(origin.address))
        #expect(scene.entryFiles.isEmpty)
    }

    @Test("results of an address are limited in number: the oldest goes")
    func limit() async throws {
        for width in 1...70 { _ = try await load(try request(.results, width: width), in: scene.pipeline) }
        #expect(scene.entryFiles.count == 65)
    }

    @Test("what the origin forbids to store leaves no result either")
    func noStore() async throws {
        origin.change { $0.fields = [("Cache-Control", "no-store")] }
        _ = try await load(try request(.all), in: scene.pipeline)
        #expect(scene.entryFiles.isEmpty)
    }

    @Test("many callers of one result share one look and one decode")
    func sharing() async throws {
        _ = try await load(try request(.results), in: scene.pipeline)
        let pipeline = scene.restarted()
        let request = try request(.results)
        let decodes = scene.coder.decodes.count
        let tasks = (0..<50).map { _ in pipeline.task(for: request) }
        for task in tasks { #expect(try await task.response.bitmap.width == 10) }
        #expect(scene.coder.decodes.count == decodes + 1)
        #expect(scene.transport.requests.count == 1)
    }

    @Test("P5: a result that no longer decodes is dropped, and the picture comes from the original")
    func damage() async throws {
        _ = try await load(try request(.all), in: scene.pipeline)
        for file in scene.entryFiles {
            let path = "\(scene.directory)/\(file)"
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            // Past the signature, in the pixels of whatever has any.
            for index in 40..<min(60, bytes.count) { bytes[index] ^= 0x55 }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
        let response = try await load(try request(.all), in: scene.restarted())
        #expect(response.bitmap.width == 10)
        #expect(scene.entryFiles.count == 3)
    }

    @Test(
        "a JPEG is kept where loss is allowed and nothing is transparent, else a PNG",
        arguments: [(ResultEncoding.compact, "image/jpeg"), (.lossless, "image/png")])
    func encoding(encoding: ResultEncoding, opaqueType: String) async throws {
        for (format, type) in [(PixelFormat.rgbx8, opaqueType), (.rgba8, "image/png")] {
            let address = "https://example.org/\(format.isOpaque)"
            scene.transport.answer(
                address, with: .body(try PipelineScene.png(8, 8, format), mediaType: "image/png"))
            let disk = DiskCache(.init(directory: scene.directory + "/\(format.isOpaque)"))
            var configuration = ImagePipeline.Configuration(memoryCache: nil, diskCache: disk, fetcher: scene.fetcher)
            configuration.resultEncoding = encoding
            let pipeline = ImagePipeline(configuration: configuration)
            var request = try scene.request(address)
            request.caching.rule = .lifetime(.seconds(60))
            request.caching.diskContent = .results
            _ = try await load(request, in: pipeline)
            var types: [String?] = []
            try disk.forEachEntry {
                types.append($0.metadata["result-format"]); return true
            }
            #expect(types.contains(type) && types.count == 2)
        }
    }
}
