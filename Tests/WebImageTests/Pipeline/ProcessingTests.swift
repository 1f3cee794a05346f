import Foundation
import Testing
import WebImageTesting

@testable import WebImage

/// Steps of processing from end to end.
@Suite struct ProcessingTests {
    static let address = "https://example.org/photo.png"

    let scene: PipelineScene

    init() throws {
        scene = try PipelineScene()
        scene.transport.answer(Self.address, with: .body(try PipelineScene.png(64, 48), mediaType: "image/png"))
    }

    @Test("W046 C239 P39: a parameter alone makes another picture with a key of its own, in memory and out of it")
    func parameters() async throws {
        let pairs: [(ProcessingStep, ProcessingStep)] = [
            (.gaussianBlur(sigma: 2), .gaussianBlur(sigma: 2.5)),
            (.tint(.black, mode: .color), .tint(.black, mode: .multiply)),
            (.roundCorners(CornerRadii(4)), .roundCorners(CornerRadii(topLeft: 4))),
            (.colorMatrix(.brightness(0.5)), .colorMatrix(.brightness(0.6))),
        ]
        for (first, second) in pairs {
            var request = try scene.request(Self.address)
            request.processing = [first]
            var other = request
            other.processing = [second]
            #expect(request.keys.goal != other.keys.goal && request.keys.picture == other.keys.picture)
            let picture = try await scene.pipeline.response(for: request)
            #expect(scene.pipeline.cachedResponse(for: other) == nil)
            let changed = try await scene.pipeline.response(for: other)
            #expect(picture.bitmap.pixels != changed.bitmap.pixels)
            #expect(scene.pipeline.cachedResponse(for: request)?.bitmap.pixels == picture.bitmap.pixels)
            #expect(scene.pipeline.cachedResponse(for: other)?.bitmap.pixels == changed.bitmap.pixels)
        }
        #expect(scene.transport.requests.count == 1)
    }

    @Test("P39: a step that makes no sense ends the load with a code and a sentence, and leaves the picture loadable")
    func refusal() async throws {
        var request = try scene.request(Self.address)
        request.processing = [.flip(.vertical), .gaussianBlur(sigma: .nan)]
        let error = await #expect(throws: ImageError.self) { _ = try await scene.pipeline.response(for: request) }
        #expect(error?.stage == .process && error?.code.rawValue == "invalidParameter" && error?.isRetryable == false)
        request.processing = [.flip(.vertical)]
        let flipped = try await scene.pipeline.response(for: request)
        let plain = try await scene.pipeline.response(for: scene.request(Self.address))
        #expect(flipped.bitmap.pixels == (try plain.bitmap.oriented(by: .downMirrored)).pixels)
    }

    #if SVG
    @Test("C050: a drawing is drawn in the wanted size and then processed, as any picture")
    func vectors() async throws {
        let address = "https://example.org/drawing.svg"
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path fill="red" d="M0 0h1v1H0z"/></svg>
            """
        scene.transport.answer(address, with: .body(Array(drawing.utf8), mediaType: "image/svg+xml"))
        var request = try scene.request(address)
        request.target = TargetSize(width: 20, allowsUpscaling: true)
        request.processing = [.flip(.horizontal)]
        let bitmap = try await scene.pipeline.response(for: request).bitmap
        #expect(bitmap.size == PixelSize(width: 20, height: 10))
        #expect(bitmap.color(x: 19, y: 5)?.hexadecimal == "#ffff0000")
        #expect(bitmap.color(x: 0, y: 5)?.alpha == 0)
    }
    #endif

    @Test("C278: each frame of an animation goes through the steps by itself; all come out in one size and format")
    func frames() throws {
        let size = PixelSize(width: 12, height: 10)
        let frames = try [UInt8(40), 120, 250].map { level in
            AnimationFrame(try Bitmap.plain(size, level), duration: .milliseconds(100))
        }
        let bytes = try CoderRegistry.standard.encode(FrameSequence(frames), as: .gif)
        let animation = try CoderRegistry.standard.animation(of: bytes)
        let step = ProcessingStep.sequence([.circle(), .colorMatrix(.inverted()), .rotate(degrees: 45)])
        let made = try (0..<animation.frameCount).map { try step.apply(to: animation.frame(at: $0)) }
        #expect(made.count == 3 && Set(made.map(\.size)).count == 1 && Set(made.map(\.format)).count == 1)
        // An animation can be asked to do so by itself, so that processed frames are what it holds.
        let thumbnail = AnimationOptions.Thumbnail(size: made[0].size) { try step.apply(to: $0) }
        let processed = try CoderRegistry.standard.animation(of: bytes, options: AnimationOptions(thumbnail: thumbnail))
        #expect(processed.size == made[0].size)
        #expect(try (0..<3).map { try processed.frame(at: $0).pixels } == made.map(\.pixels))
        let middle = made.map { $0.color(x: $0.width / 2, y: $0.height / 2) }
        #expect(middle == [215, 135, 5].map { PixelColor(white: $0) })
    }
}

extension Bitmap {
    fileprivate static func plain(_ size: PixelSize, _ level: UInt8) throws -> Bitmap {
        var bitmap = try Bitmap(uninitialized: size, format: .rgbx8)
        try bitmap.withUnsafeMutableBytes { bytes in
            for at in bytes.indices { bytes[at] = at % 4 == 3 ? 255 : level }
        }
        return bitmap
    }
}
