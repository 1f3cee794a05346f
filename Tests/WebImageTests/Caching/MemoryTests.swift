import Testing
import WebImageTesting

@testable import WebImage

@Suite struct MemoryTests {
    private let scene: PipelineScene
    private let memory: ImageMemoryCache
    private let pipeline: ImagePipeline

    init() throws {
        scene = try PipelineScene()
        memory = ImageMemoryCache(costLimit: 8 << 20, weakLevel: .pixels, now: scene.clock.now)
        pipeline = scene.pipeline(memory: memory)
    }

    private func request(_ name: String = "picture", of size: (Int, Int) = (400, 300)) throws -> ImageRequest {
        let address = "https://example.org/\(name).png"
        scene.transport.answer(
            address, with: .body(try PipelineScene.png(size.0, size.1), mediaType: "image/png"))
        return try scene.request(address)
    }

    @Test("S105 S113 C317 W013: a decoded picture is kept at its exact bytes, and found by a call that does not wait")
    func kept() async throws {
        let request = try request()
        let bitmap = try await pipeline.response(for: request).bitmap
        #expect((memory.count, memory.totalCost) == (1, bitmap.bytesPerRow * 300))
        let found: ImageResponse? = pipeline.cachedResponse(for: request)
        #expect(found?.bitmap.base == bitmap.base)
        #expect(try await pipeline.response(for: request).tier == .memory)
        #expect(scene.coder.decodes.count == 1)
    }

    @Test("C105: a request that does not write memory leaves nothing there, and one that does not read it decodes")
    func access() async throws {
        var request = try request()
        request.caching.memory = []
        _ = try await pipeline.response(for: request)
        #expect((memory.count, memory.statistics.insertions) == (0, 0))
        request.caching.memory = .write
        for _ in 0..<2 { _ = try await pipeline.response(for: request) }
        #expect(memory.count == 1)
        #expect(scene.coder.decodes.count == 3)
        #expect(pipeline.cachedResponse(for: request) == nil)
    }

    // MARK: The weak level

    @Test("S117 S118 W037: a picture that was pushed out is shown again from the pixels that a view still holds")
    func weakLevel() async throws {
        let request = try request()
        var shown: Bitmap? = try await pipeline.response(for: request).bitmap
        memory.trim(toCost: 0)
        #expect((memory.count, memory.statistics.weakCount) == (0, 1))

        let again = try #require(pipeline.cachedResponse(for: request))
        #expect(again.bitmap.base == shown?.base)
        #expect(again.info == ImageInfo(format: .png, storedSize: PixelSize(width: 400, height: 300), hasAlpha: false))
        #expect(again.tier == .memory)
        #expect((memory.count, memory.totalCost) == (1, again.bitmap.byteCost))
        #expect(scene.coder.decodes.count == 1)
        shown = nil
        withExtendedLifetime(again) {}
    }

    @Test("S118: pixels that nobody holds any more are decoded again")
    func weakLevelWithoutHolder() async throws {
        let request = try request()
        _ = try await pipeline.response(for: request)
        memory.trim(toCost: 0)
        // The thread that decoded lets go a moment after the response; would hang if it did not.
        while memory.contains(request.keys.goal) { await Task.yield() }
        #expect(pipeline.cachedResponse(for: request) == nil)
        _ = try await pipeline.response(for: request)
        #expect(scene.coder.decodes.count == 2)
    }

    @Test("S118: what is removed is found nowhere, whoever holds it")
    func removal() async throws {
        let request = try request()
        let shown = try await pipeline.response(for: request).bitmap
        memory.trim(toCost: 0)
        // Asked for in another size: both are the same picture.
        var other = request
        other.target = TargetSize(width: 10)
        try pipeline.remove(other)
        #expect(pipeline.cachedResponse(for: request) == nil)
        #expect(memory.statistics.weakCount == 0)
        withExtendedLifetime(shown) {}
    }

    @Test("S119 C106: a pipeline that is given no memory cache has one with a weak level and a finite limit")
    func standard() async throws {
        let pipeline = scene.pipeline(memory: .standard())
        let request = try request()
        let shown = try await pipeline.response(for: request).bitmap
        let memory = try #require(ImagePipeline.Configuration(diskCache: nil).memoryCache)
        #expect(memory.costLimit == MemoryBudget.current.cacheLimit)
        #expect(memory.statistics == MemoryCacheStatistics())
        pipeline.core.memory?.trim(toCost: 0)
        #expect(pipeline.cachedResponse(for: request)?.bitmap.base == shown.base)
        #expect(ImageMemoryCache.standard(costLimit: 5, countLimit: 6).countLimit == 6)
    }

    @Test("S113 C317: a picture costs the bytes of its rows, and the limit counts them")
    func cost() async throws {
        let bitmap = try await pipeline.response(for: try request()).bitmap
        #expect(memory.totalCost == bitmap.bytesPerRow * 300)
        #expect(bitmap.bytesPerRow >= 400 * 4)
        memory.costLimit = memory.totalCost - 1
        #expect((memory.count, memory.totalCost) == (0, 0))
    }

    // MARK: Lifetime

    @Test("A picture with a lifetime is gone from memory after it; the disk has it still")
    func lifetime() async throws {
        var request = try request()
        request.caching.memoryLifetime = .seconds(5)
        _ = try await pipeline.response(for: request)
        scene.clock.advance(by: .seconds(4))
        #expect(pipeline.cachedResponse(for: request) != nil)
        scene.clock.advance(by: .seconds(1))
        #expect(pipeline.cachedResponse(for: request) == nil)
    }

    // MARK: Larger pictures

    @Test("A picture of 400 pixels answers for 200 where that is accepted, and only there")
    func larger() async throws {
        var wanted = try request()
        _ = try await pipeline.response(for: wanted)
        wanted.target = TargetSize(width: 200)
        #expect(pipeline.cachedResponse(for: wanted) == nil)
        wanted.caching.acceptedOversize = 1.9
        #expect(pipeline.cachedResponse(for: wanted) == nil)
        wanted.caching.acceptedOversize = 2
        #expect(pipeline.cachedResponse(for: wanted)?.bitmap.size == PixelSize(width: 400, height: 300))
        // The same through a task, without a second decode.
        let response = try await pipeline.response(for: wanted)
        #expect((response.bitmap.width, response.tier) == (400, .memory))
        #expect(scene.coder.decodes.count == 1)
        // Never a smaller one.
        wanted.target = TargetSize(width: 401, allowsUpscaling: true)
        #expect(pipeline.cachedResponse(for: wanted) == nil)
        // Nor another picture, one under other limits, or one that is processed.
        var other = try request("other")
        (other.target, other.caching.acceptedOversize) = (TargetSize(width: 200), 9)
        #expect(pipeline.cachedResponse(for: other) == nil)
        wanted.target = TargetSize(width: 200)
        wanted.limits.maxSide = 1_000
        #expect(pipeline.cachedResponse(for: wanted) == nil)
        wanted.limits = .default
        // Nor one whose colours, memory or source are others.
        #expect(pipeline.cachedResponse(for: wanted) != nil)
        for change: (inout RequestOptions) -> Void in [
            { $0.color = .keep }, { $0.byteLimit = 40_000 }, { $0.usesEmbeddedThumbnail.toggle() },
        ] {
            change(&wanted.options)
            #expect(pipeline.cachedResponse(for: wanted) == nil)
            wanted.options = RequestOptions()
        }
        wanted.processing = [.resize(TargetSize(width: 10))]
        #expect(pipeline.cachedResponse(for: wanted) == nil)
    }

    @Test("The exact size comes first, then the smallest that fits and is still there")
    func smallestFirst() async throws {
        var wanted = try request()
        for width in [380, 120, 260, 400] {
            wanted.target = TargetSize(width: width)
            _ = try await pipeline.response(for: wanted)
        }
        wanted.caching.acceptedOversize = 10
        wanted.target = TargetSize(width: 200)
        func answer() -> Int? { pipeline.cachedResponse(for: wanted)?.bitmap.width }
        #expect(answer() == 260)
        var gone = wanted
        gone.target = TargetSize(width: 260)
        memory.removeValue(forKey: gone.keys.goal)
        #expect(answer() == 380)
        wanted.target = TargetSize(width: 120)
        #expect(answer() == 120)
    }

    @Test("A cropped picture answers for the same part of the original only")
    func crops() async throws {
        var wanted = try request()
        wanted.target = TargetSize(width: 150, height: 150, fit: .cover)
        _ = try await pipeline.response(for: wanted)
        wanted.caching.acceptedOversize = 4
        func answer(_ target: TargetSize) -> Int? {
            wanted.target = target
            return pipeline.cachedResponse(for: wanted)?.bitmap.width
        }
        #expect(answer(TargetSize(width: 75, height: 75, fit: .cover)) == 150)
        #expect(answer(TargetSize(width: 75, height: 75)) == nil)
        #expect(answer(TargetSize(width: 75, height: 60, fit: .cover)) == nil)
        // A box of the picture's own shape keeps all of it, covered or contained.
        wanted.target = TargetSize(width: 200, height: 150)
        _ = try await pipeline.response(for: wanted)
        #expect(answer(TargetSize(width: 100, height: 75, fit: .cover)) == 200)
        #expect(answer(TargetSize(width: 100, height: 100)) == 200)
    }
}

extension Bitmap {
    /// Where the pixels are.
    fileprivate var base: UnsafeRawPointer? { withUnsafeBytes { $0.baseAddress } }
}
