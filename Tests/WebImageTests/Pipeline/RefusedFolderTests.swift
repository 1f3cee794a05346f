import Foundation
import Testing
import WebImageTesting

@testable import WebImage

/// A pipeline whose cache folder somebody else has prepared.
@Suite struct RefusedFolderTests {
    @Test(
        "W033: a folder that is not this user's alone is left alone; pictures are loaded all the same, and one warning says so"
    )
    func refused() async throws {
        let scene = try PipelineScene()
        let elsewhere = scene.directory + "-elsewhere"
        defer { try? FileManager.default.removeItem(atPath: elsewhere) }
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: scene.directory, withDestinationPath: elsewhere)

        var folder = DiskCache.Configuration(directory: scene.directory)
        folder.requiresPrivateDirectory = true
        let disk = DiskCache(folder, onWarning: { _ in scene.warnings.add() })
        // The pipeline's own fetcher keeps what broke off in a folder inside the cache's.
        let pipeline = ImagePipeline(configuration: .init(memoryCache: nil, diskCache: disk))
        let picture = scene.directory + "-elsewhere.png"
        defer { try? FileManager.default.removeItem(atPath: picture) }
        try Data(PipelineScene.png(8, 8)).write(to: URL(filePath: picture))
        #expect(try await pipeline.image(for: URL(filePath: picture)).width == 8)

        var configuration = ImagePipeline.Configuration(memoryCache: nil, diskCache: disk, fetcher: scene.fetcher)
        configuration.wallClock = scene.clock.wall
        let remote = ImagePipeline(configuration: configuration)
        for number in 0..<3 {
            let address = "https://example.org/\(number).png"
            scene.transport.answer(address, with: .body(try PipelineScene.png(8, 8), mediaType: "image/png"))
            #expect(try await remote.response(for: try scene.request(address)).tier == .network)
        }
        await remote.finishWrites()
        #expect(scene.warnings.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }

    @Test("Beginnings of bodies are kept inside the cache's namespace, and not where its folder is refused")
    func partials() throws {
        let scene = try PipelineScene()
        var folder = DiskCache.Configuration(directory: scene.directory)
        folder.namespace = "one"
        let request = FetchRequest(url: try #require(URL(string: "https://example.org/a.png")))
        let partial = PartialBody(bytes: Bytes([1, 2, 3]), validator: "\"a\"", total: 9)
        DiskPartialBodies(beside: folder).keep(partial, for: request)
        #expect(DiskPartialBodies(beside: folder).partial(for: request)?.total == 9)
        #expect(FileManager.default.fileExists(atPath: "\(scene.directory)/namespaces/one/partial/v1"))
        #expect(DiskPartialBodies(beside: .init(directory: scene.directory)).partial(for: request) == nil)

        let link = scene.directory + "-link"
        defer { try? FileManager.default.removeItem(atPath: link) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.directory)
        folder.directory = link
        #expect(DiskPartialBodies(beside: folder).partial(for: request) != nil)
        folder.requiresPrivateDirectory = true
        #expect(DiskPartialBodies(beside: folder).partial(for: request) == nil)
    }
}
