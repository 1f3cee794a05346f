import Testing
import WebImageTesting

@testable import WebImage

@Suite("Loading what moves")
struct AnimationLoadTests {
    private let scene: PipelineScene
    private let memory = ImageMemoryCache(costLimit: 8 << 20, weakLevel: .pixels)
    private let pipeline: ImagePipeline

    init() throws {
        scene = try PipelineScene()
        pipeline = scene.pipeline(memory: memory)
    }

    /// Frames of 24 × 16 pixels, each of another grey.
    private static func bytes(_ format: ImageFormat, frames: Int = 5) throws -> [UInt8] {
        let list = try (0..<frames).map { index in
            var bitmap = try Bitmap(uninitialized: PixelSize(width: 24, height: 16), format: .rgbx8)
            try bitmap.withUnsafeMutableBytes { pixels in
                for place in pixels.indices { pixels[place] = place % 4 == 3 ? 255 : UInt8(index * 40) }
            }
            return AnimationFrame(bitmap, duration: .milliseconds(50))
        }
        return try CoderRegistry.standard.encode(FrameSequence(list), as: format).array
    }

    private func request(_ bytes: [UInt8], _ name: String = "picture", width: Int? = nil) throws -> ImageRequest {
        let address = "https://example.org/\(name)"
        scene.transport.answer(address, with: .body(bytes, mediaType: "image/x"))
        var request = try scene.request(address, width: width)
        request.options.animation = .moving
        return request
    }

    @Test(
        "S008 C252 C255 C259: a request that wants it gets the animation, and its first frame as the picture",
        arguments: [ImageFormat.gif, .animatedWebP], [nil, 12])
    func moving(format: ImageFormat, width: Int?) async throws {
        var request = try request(Self.bytes(format), width: width)
        let response = try await pipeline.response(for: request)
        let animation = try #require(response.animation)
        #expect(animation.frameCount == 5 && animation.isMoving)
        #expect(try animation.bytes.array == Self.bytes(format))
        #expect(animation.size == PixelSize(width: width ?? 24, height: width.map { $0 * 16 / 24 } ?? 16))
        #expect(response.bitmap.size == animation.size)
        #expect(try animation.frame(at: 0).pixels == response.bitmap.pixels)
        #expect(try animation.frame(at: 4).pixels != response.bitmap.pixels)

        request.options.animation = .still
        let still = try await pipeline.response(for: request)
        #expect(still.animation == nil && still.bitmap.size == response.bitmap.size)
    }

    @Test("P26 C270 C046: whoever loads the same gets the same object, at once, and a request for one frame never does")
    func shared() async throws {
        var request = try request(Self.bytes(.gif))
        let first = try await pipeline.response(for: request)
        let second = try #require(pipeline.cachedResponse(for: request))
        #expect(second.tier == .memory && first.animation != nil && first.animation === second.animation)
        #expect(second.bitmap.base == first.bitmap.base)
        #expect(first.animation?.decodedFrameCount == 1)

        request.options.animation = .still
        #expect(pipeline.cachedResponse(for: request) == nil)
        let still = try await pipeline.response(for: request)
        #expect(still.animation == nil && memory.count == 2)
        request.target = TargetSize(width: 12)
        request.options.animation = .moving
        #expect(pipeline.cachedResponse(for: request) == nil)
        let small = try await pipeline.response(for: request)
        #expect(small.animation != nil && small.animation !== first.animation)
    }

    @Test("P26: loads at the same time share one animation")
    func sharedWork() async throws {
        let request = try request(Self.bytes(.gif))
        let tasks = (0..<8).map { _ in pipeline.task(for: request) }
        var animations: Set<ObjectIdentifier> = []
        for task in tasks {
            animations.insert(ObjectIdentifier(try #require(try await task.response.animation)))
        }
        #expect(animations.count == 1)
    }

    @Test("C046 C272: what does not move is one picture for both kinds of request, whichever comes first")
    func still() async throws {
        var request = try request(PipelineScene.png(24, 16))
        let response = try await pipeline.response(for: request)
        #expect(response.animation == nil && memory.count == 1)
        request.options.animation = .still
        #expect(pipeline.cachedResponse(for: request)?.bitmap.base == response.bitmap.base)

        var other = try self.request(PipelineScene.png(24, 16), "other")
        other.options.animation = .still
        let plain = try await pipeline.response(for: other)
        other.options.animation = .moving
        #expect(pipeline.cachedResponse(for: other)?.bitmap.base == plain.bitmap.base)
        #expect(scene.coder.decodes.count == 2)

        // Of a GIF nobody knows before all of it was read.
        let single = try self.request(Self.bytes(.gif, frames: 1), "single")
        #expect(try await pipeline.response(for: single).animation == nil)
        #expect(pipeline.cachedResponse(for: single) != nil)
    }

    @Test(
        "C256 C258 P1: an animation costs its picture and its bytes in memory, and all frames where they are preloaded")
    func cost() async throws {
        let bytes = try Self.bytes(.gif)
        var request = try request(bytes)
        let response = try await pipeline.response(for: request)
        let frame = response.bitmap.byteCost
        #expect(memory.totalCost == frame + bytes.count)
        // Nothing is held before somebody plays it.
        #expect(response.animation?.memoryCost == bytes.count)

        memory.removeAll()
        request.options.animation.preloadsFrames = true
        let preloaded = try await pipeline.response(for: request)
        let animation = try #require(preloaded.animation)
        #expect(animation.isPreloaded && animation.decodedFrameCount == 5)
        #expect(memory.totalCost == 5 * frame + bytes.count)
        for index in 0..<5 { _ = try animation.frame(at: index) }
        #expect(animation.decodedFrameCount == 5)
        animation.unload()
        #expect(!animation.isPreloaded)
    }

    @Test("C047: an animation that is in memory is not preloaded because of a later request")
    func preloadingLater() async throws {
        var request = try request(Self.bytes(.gif))
        _ = try await pipeline.response(for: request)
        request.options.animation.preloadsFrames = true
        let hit = try #require(pipeline.cachedResponse(for: request))
        #expect(hit.animation?.isPreloaded == false)
    }

    @Test("C036 C278: processing is done to every frame when that is asked for, and is part of the key")
    func processing() async throws {
        var request = try request(Self.bytes(.gif))
        let invert = ProcessingStep.custom(
            CustomStep("invert") { bitmap in
                var bitmap = bitmap
                try bitmap.withUnsafeMutableBytes {
                    for place in $0.indices where place % 4 < 3 { $0[place] = 255 - $0[place] }
                }
                return bitmap
            })
        let plain = try await pipeline.response(for: request)
        request.processing = [invert, .resize(TargetSize(width: 6))]
        // Not asked for: one frame, as it was processed.
        let still = try await pipeline.response(for: request)
        #expect(still.animation == nil && still.bitmap.pixels[0] == 255)

        request.options.animation.processesFrames = true
        #expect(pipeline.cachedResponse(for: request) == nil)
        let moving = try await pipeline.response(for: request)
        let animation = try #require(moving.animation)
        #expect(animation !== plain.animation && animation.size == PixelSize(width: 6, height: 4))
        #expect(moving.bitmap.size == animation.size && moving.bitmap.pixels == still.bitmap.pixels)
        for index in 0..<5 {
            let grey = try animation.frame(at: index).pixels[0]
            let original = try #require(try plain.animation?.frame(at: index).pixels[0])
            #expect(Int(grey) + Int(original) == 255)
        }
        #expect(pipeline.cachedResponse(for: request)?.animation === animation)
        request.processing = [invert]
        #expect(pipeline.cachedResponse(for: request) == nil)

        // What does not move is processed all the same, and shared with those who want one frame.
        var picture = try self.request(PipelineScene.png(24, 16), "still")
        picture.processing = [invert]
        picture.options.animation = AnimationPolicy(isWanted: true, processesFrames: true)
        let processed = try await pipeline.response(for: picture)
        picture.options.animation = .still
        #expect(pipeline.cachedResponse(for: picture)?.bitmap.base == processed.bitmap.base)
    }

    @Test("S118 C270: an animation that was pushed out of memory is found again while somebody plays it")
    func weakLevel() async throws {
        let request = try request(Self.bytes(.gif))
        let response = try await pipeline.response(for: request)
        memory.trim(toCost: 0)
        #expect(pipeline.cachedResponse(for: request)?.animation === response.animation)
        withExtendedLifetime(response) {}
    }

    @Test("C046: a larger size that is in memory stands in only for a request that wants just as much of it")
    func oversize() async throws {
        var request = try request(Self.bytes(.gif), width: 24)
        let moving = try await pipeline.response(for: request)
        request.target = TargetSize(width: 20)
        request.caching.acceptedOversize = 2
        #expect(pipeline.cachedResponse(for: request)?.animation === moving.animation)
        request.options.animation = .still
        #expect(pipeline.cachedResponse(for: request) == nil)
    }

    @Test("C252: a file of which only the first frame is whole is a picture and no error")
    func damaged() async throws {
        let bytes = try Self.bytes(.gif)
        let request = try request(Array(bytes.prefix(bytes.count / 5 + 20)), "broken")
        let response = try? await pipeline.response(for: request)
        #expect((response?.animation?.frameCount ?? 1) < 5)
    }
}

extension Bitmap {
    fileprivate var base: UnsafeRawPointer? { withUnsafeBytes { $0.baseAddress } }
}
