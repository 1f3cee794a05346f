import Foundation
import Testing
import WebImageTesting

@testable import WebImage

/// What each of the two caches keeps, and who reads and writes it.
@Suite struct CacheAccessTests {
    static let address = "https://example.org/photo.png"
    static let accesses: [CachePolicy.Access] = [[], .read, .write, .all]

    let scene: PipelineScene
    let origin: VersionedOrigin
    let original: [UInt8]

    init() throws {
        scene = try PipelineScene()
        original = try PipelineScene.png(64, 48)
        origin = VersionedOrigin(
            scene, body: original, fields: [("Cache-Control", "max-age=10")], address: Self.address)
    }

    private func load(
        in pipeline: ImagePipeline? = nil, _ change: (inout ImageRequest) -> Void = { _ in }
    ) async throws(ImageError) -> ImageResponse {
        var request = ImageRequest(url: url)
        change(&request)
        let response = try await (pipeline ?? scene.pipeline).response(for: request)
        await (pipeline ?? scene.pipeline).finishWrites()
        return response
    }

    private var url: URL { URL(string: Self.address) ?? URL(filePath: "/") }

    @Test(
        "C069 C071 W001 S022 S027 S141 C105 C085 C088: what has come is kept in the caches that the request writes",
        arguments: accesses, accesses)
    func writes(_ memory: CachePolicy.Access, _ disk: CachePolicy.Access) async throws {
        #expect(try await load { $0.caching = CachePolicy(memory: memory, disk: disk) }.tier == .network)
        let isInMemory = scene.pipeline.cachedResponse(for: ImageRequest(url: url)) != nil
        #expect(isInMemory == memory.contains(.write))
        #expect(scene.entryFiles.count == (disk.contains(.write) ? 1 : 0))
    }

    @Test(
        "C068 C070 S015 C092 C101: the caches that a request reads answer, memory first, else the origin",
        arguments: accesses,
        accesses)
    func reads(_ memory: CachePolicy.Access, _ disk: CachePolicy.Access) async throws {
        _ = try await load()
        let tier = try await load { $0.caching = CachePolicy(memory: memory, disk: disk) }.tier
        #expect(tier == (memory.contains(.read) ? .memory : disk.contains(.read) ? .disk : .network))
        #expect(scene.transport.requests.count == (tier == .network ? 2 : 1))
    }

    @Test(
        "C069 S019 C091: what was found on disk is kept in memory too, where the request writes that",
        arguments: accesses)
    func promotion(_ memory: CachePolicy.Access) async throws {
        _ = try await load()
        let restarted = scene.restarted()
        #expect(try await load(in: restarted) { $0.caching.memory = memory }.tier == .disk)
        let isInMemory = restarted.cachedResponse(for: ImageRequest(url: url)) != nil
        #expect(isInMemory == memory.contains(.write))
    }

    @Test("C014 C015 C018 C072 S041 W001 S137: the original is stored once, as it came; all other sizes are made of it")
    func originals() async throws {
        scene.transport.gate.close()
        let tasks = [8, 16, 24, 32].map { width in
            scene.pipeline.task(for: ImageRequest(url: url, target: TargetSize(width: width)))
        }
        await scene.transport.arrivals.reaches(1)
        scene.transport.gate.open()
        for task in tasks { #expect(try await task.response.tier == .network) }
        await scene.pipeline.finishWrites()
        #expect(scene.events.of(.store).count == 1)
        try #require(scene.entryFiles.count == 1)
        let file = try #require(FileManager.default.contents(atPath: "\(scene.directory)/\(scene.entryFiles[0])"))
        #expect(file.starts(with: original))

        let restarted = scene.restarted()
        func another(_ request: inout ImageRequest) {
            request.target = TargetSize(width: 12)
            request.processing = [.resize(TargetSize(width: 6))]
        }
        let made = try await load(in: restarted, another)
        #expect(made.tier == .disk && made.bitmap.width == 6 && made.info.size.width == 64)
        #expect(try await load(in: restarted, another).tier == .memory)
        #expect(scene.transport.requests.count == 1 && scene.coder.decodes.count == 5)
        #expect(scene.events.of(.store).count == 1 && scene.entryFiles.count == 1)
    }

    @Test("C018 C085: bytes of which no picture was made are not stored, and the load ends")
    func noPicture() async throws {
        origin.change { $0.body = Array("<html>sign in</html>".utf8) }
        await #expect(throws: ImageError.self) { _ = try await load() }
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles.isEmpty && scene.events.of(.store).isEmpty)
    }

    @Test(
        "C020 S017 C085: original bytes come when they are asked for and cost no decode; a picture tells only how many they are"
    )
    func originalBytes() async throws {
        let data = try await scene.pipeline.data(for: ImageRequest(url: url))
        #expect(data.bytes.array == original && data.tier == .network)
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles.count == 1 && scene.pipeline.core.memory?.count == 0)
        #expect(try await scene.pipeline.data(for: ImageRequest(url: url)).bytes.array == original)
        #expect(scene.coder.decodes.count == 0 && scene.transport.requests.count == 1)
        #expect(try await load().byteCount == original.count)
        #expect(scene.pipeline.cachedResponse(for: ImageRequest(url: url)) != nil)
        #expect(try await scene.pipeline.data(for: ImageRequest(url: url)).tier == .disk)
    }

    @Test("S149 C096: what is removed is gone from memory and disk, and the next load asks the origin")
    func removal() async throws {
        _ = try await load()
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles.count == 1)
        try scene.pipeline.remove(ImageRequest(url: url))
        #expect(scene.pipeline.cachedResponse(for: ImageRequest(url: url)) == nil)
        #expect(scene.entryFiles.isEmpty)
        #expect(try await load().tier == .network)
    }

    @Test("S149: removing a picture takes every size of it out of memory, however it was made, and no other picture")
    func removalOfAllSizes() async throws {
        var requests: [ImageRequest] = []
        for width in [nil, 8, 16, 24] as [Int?] { requests.append(try scene.request(Self.address, width: width)) }
        requests.append(ImageRequest(url: url, processing: [.resize(TargetSize(width: 6))]))
        requests.append(ImageRequest(url: url, headers: ["Accept-Language": "fr"], target: TargetSize(width: 8)))
        let other = "https://example.org/other.png"
        scene.transport.answer(other, with: .body(original, mediaType: "image/png"))
        for request in requests + [try scene.request(other)] { _ = try await scene.pipeline.response(for: request) }
        let memory = try #require(scene.pipeline.core.memory)
        #expect(memory.count == 7)

        try scene.pipeline.remove(requests[2])
        #expect(requests.allSatisfy { scene.pipeline.cachedResponse(for: $0) == nil })
        #expect(scene.pipeline.cachedResponse(for: try scene.request(other)) != nil)
        #expect(memory.count == 1)
        var larger = requests[1]
        larger.caching.acceptedOversize = 100
        #expect(scene.pipeline.cachedResponse(for: larger) == nil)
    }

    @Test(
        "S132: a picture is in memory when it is delivered, on disk later, and waits for no disk that it does not write"
    )
    func memoryFirst() async throws {
        let files = FaultyFileSystem()
        let scene = try PipelineScene(files: files)
        let addresses = (0..<3).map { "https://example.org/\($0).png" }
        for address in addresses {
            scene.transport.answer(address, with: .body(original, mediaType: "image/png"))
        }
        func load(_ index: Int, _ disk: CachePolicy.Access = .all) async throws -> ImageRequest {
            var request = try scene.request(addresses[index])
            request.caching.disk = disk
            #expect(try await scene.pipeline.response(for: request).tier == .network)
            return request
        }
        // Opens the folder, which makes files as well.
        _ = try await load(0)
        await scene.pipeline.finishWrites()
        let disk = files.hold(.create)
        let first = try await load(1, .read)
        #expect(scene.pipeline.cachedResponse(for: first) != nil)
        await scene.pipeline.finishWrites()
        let second = try await load(2)
        #expect(scene.pipeline.cachedResponse(for: second) != nil)
        #expect(scene.entryFiles.count == 1)
        disk.open()
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles.count == 2)
    }

    @Test("C093: of many equal loads that the disk answers one decodes; all others share it or find it in memory")
    func oneDecode() async throws {
        _ = try await load()
        let restarted = scene.restarted()
        let before = scene.coder.decodes.count
        let tasks = (0..<40).map { _ in restarted.task(for: ImageRequest(url: url)) }
        for task in tasks { #expect([.disk, .memory].contains(try await task.response.tier)) }
        #expect(try await load(in: restarted).tier == .memory)
        #expect(scene.coder.decodes.count == before + 1 && scene.transport.requests.count == 1)
    }

    @Test(
        "C094 W017: a thumbnail that was made from the disk is kept as that size, whatever the address looks like",
        arguments: ["photo.png", "photo-Thumbnail(%7B8.000000,6.000000%7D,1).png", "photo.png?-Thumbnail(8,6,1)"])
    func thumbnails(_ name: String) async throws {
        let address = "https://example.org/" + name
        scene.transport.answer(address, with: .body(original, mediaType: "image/png"))
        let (whole, small) = (try scene.request(address), try scene.request(address, width: 8))
        _ = try await scene.pipeline.response(for: whole)
        await scene.pipeline.finishWrites()
        let restarted = scene.restarted()
        let thumbnail = try await restarted.response(for: small)
        #expect(thumbnail.tier == .disk && thumbnail.bitmap.width == 8)
        #expect(restarted.cachedResponse(for: small)?.bitmap.width == 8)
        #expect(restarted.cachedResponse(for: whole) == nil)
        let all = try await restarted.response(for: whole)
        #expect(all.tier == .disk && all.bitmap.width == 64)
        #expect(restarted.cachedResponse(for: small)?.bitmap.width == 8)
    }

    @Test("C025 C049: who waits for the writes finds all on disk that was delivered before")
    func waiting() async throws {
        let addresses = (0..<40).map { "https://example.org/\($0).png" }
        for address in addresses {
            scene.transport.answer(address, with: .body(original, mediaType: "image/png"))
            _ = try await scene.pipeline.response(for: try scene.request(address, width: 4))
        }
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles.count == 40)
    }

    @Test(
        "S046 S050 C016: what the origin is asked when a picture is missing, fresh and stale, by rule",
        arguments: [
            (FreshnessRule.standard, [1, 0, 1]), (.revalidate, [1, 1, 1]), (.networkOnly, [1, 1, 1]),
            (.lifetime(.seconds(100)), [1, 0, 0]), (.cacheOnly, [0, 0, 0]),
        ], [false, true])
    func questions(_ expected: (rule: FreshnessRule, requests: [Int]), fromDisk: Bool) async throws {
        func requests() async -> Int {
            let before = scene.transport.requests.count
            do throws(ImageError) {
                _ = try await load(in: fromDisk ? scene.restarted() : nil) { $0.caching.rule = expected.rule }
            } catch { #expect(error.code == .notCached && expected.rule == .cacheOnly && before == 0) }
            return scene.transport.requests.count - before
        }
        let missing = await requests()
        if missing == 0 { _ = try await load() }
        let fresh = await requests()
        scene.clock.advance(by: .seconds(11))
        #expect([missing, fresh, await requests()] == expected.requests)
    }
}
