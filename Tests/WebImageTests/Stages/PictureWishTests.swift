import Testing
import WebImage
import WebImageTesting

/// A picture that may have so many bytes of pixels.
@Suite struct PictureWishTests {
    struct Case: Sendable {
        let target: TargetSize?
        let limit: Int
        let size: PixelSize

        init(_ target: TargetSize?, _ limit: Int, _ width: Int, _ height: Int) {
            self.target = target
            self.limit = limit
            size = PixelSize(width: width, height: height)
        }
    }

    // Four bytes a pixel: the square root of what is allowed, rounded down, in the picture's own shape.
    static let cases = [
        Case(nil, 20_000, 100, 50), Case(nil, 19_999, 98, 49), Case(nil, 5_000, 50, 25), Case(nil, 0, 1, 1),
        Case(TargetSize(width: 40), 5_000, 40, 20), Case(TargetSize(width: 80), 5_000, 50, 25),
        Case(TargetSize(width: 50, height: 50, fit: .cover), 2_500, 25, 25),
    ]

    @Test("C205 C232 C234 S093 S094 W002: a picture within a number of bytes keeps its shape", arguments: cases)
    func sizes(expected: Case) throws {
        let bytes = Bytes(try PipelineScene.png(100, 50))
        let (bitmap, info) = try PictureStage().picture(from: bytes, target: expected.target, byteLimit: expected.limit)
        #expect(bitmap.size == expected.size)
        #expect(info.size == PixelSize(width: 100, height: 50))
        #expect(bitmap.width * bitmap.height * 4 <= max(4, expected.limit))
    }

    @Test("S096 C236: without a limit a picture is as large as it is")
    func unlimited() throws {
        let bytes = Bytes(try PipelineScene.png(100, 50))
        #expect(try PictureStage().picture(from: bytes).bitmap.size == PixelSize(width: 100, height: 50))
        #expect(RequestOptions().byteLimit == nil)
    }

    @Test("W002: a request carries the limit, for every format")
    func request() async throws {
        for format in [ImageFormat.jpeg, .png, .webp] {
            let scene = try PipelineScene()
            let address = "https://example.org/\(format)"
            scene.transport.answer(
                address, with: .body(try PipelineScene.sample(of: format), mediaType: format.mediaType))
            var request = try scene.request(address)
            request.options.byteLimit = 20 * 15 * 4
            let response = try await scene.pipeline.response(for: request)
            #expect(response.info.size == PixelSize(width: 40, height: 30))
            #expect(response.bitmap.size == PixelSize(width: 20, height: 15))
        }
    }
}
