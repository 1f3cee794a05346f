import Testing
import WebImage
import WebImageTesting

/// Wanted sizes and limits, whatever the format.
@Suite struct SizeTests {
    let scene: PipelineScene

    init() throws { scene = try PipelineScene() }

    @Test(
        "C062 C063: a box is met in the picture's own shape, by all of it or by a part, and nothing is made larger",
        arguments: [
            (TargetSize(width: 32, height: 32), 32, 24), (TargetSize(width: 32, height: 12), 16, 12),
            (TargetSize(width: 32), 32, 24), (TargetSize(height: 12), 16, 12),
            (TargetSize(width: 1_000, height: 1_000), 64, 48), (TargetSize(width: 64, height: 48), 64, 48),
            (TargetSize(width: 32, height: 32, fit: .cover), 32, 32),
            (TargetSize(width: 100, height: 24, fit: .cover), 64, 24),
            (TargetSize(width: 128, height: 128, allowsUpscaling: true), 128, 96),
        ])
    func boxes(_ target: TargetSize, _ width: Int, _ height: Int) async throws {
        let response = try await scene.load(PipelineScene.png(64, 48), target: target)
        #expect(response.bitmap.size == PixelSize(width: width, height: height))
        #expect(response.info.size == PixelSize(width: 64, height: 48))
    }

    @Test(
        "C038 C065 W002: in every format the wanted size is made, and a picture over the limit is refused, not shrunk",
        arguments: PipelineScene.formats)
    func everyFormat(_ format: ImageFormat) async throws {
        let address = "https://example.org/picture"
        scene.transport.answer(address, with: .body(try PipelineScene.sample(of: format), mediaType: format.mediaType))
        var request = try scene.request(address)
        let whole = try await scene.pipeline.response(for: request)
        let size = whole.bitmap.size
        request.target = TargetSize(width: size.width / 2)
        let half = try await scene.pipeline.response(for: request)
        #expect(half.bitmap.size == PixelSize(width: size.width / 2, height: size.height / 2))
        #expect(half.bitmap.byteCost < whole.bitmap.byteCost)
        // The limit is about what the file says that it is, whatever size is wanted.
        request.limits.maxPixels = size.width * size.height - 1
        for target in [request.target, nil] {
            request.target = target
            let error = await #expect(throws: ImageError.self) { _ = try await scene.pipeline.response(for: request) }
            #expect(error?.code == .tooManyPixels)
        }
    }
}
