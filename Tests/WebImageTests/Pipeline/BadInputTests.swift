import Foundation
import Testing
import WebImage
import WebImageTesting

/// What a bad origin, a bad file and a bad disk do to a load: a typed error and nothing left behind, or a picture.
@Suite struct BadInputTests {
    let scene: PipelineScene
    let origin: OriginServer

    init() throws {
        scene = try PipelineScene(over: .http)
        origin = try OriginServer()
    }

    /// Loads from a path of the origin and expects a failure that leaves no trace.
    func failure(_ response: OriginResponse, sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> ImageError
    {
        origin.route("/picture", response)
        let request = ImageRequest(url: origin.url("/picture"))
        scene.pipeline.forgetFailures()
        let error = await #expect(throws: ImageError.self, sourceLocation: sourceLocation) {
            _ = try await scene.pipeline.response(for: request)
        }
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles == [], sourceLocation: sourceLocation)
        #expect(scene.pipeline.cachedResponse(for: request) == nil, sourceLocation: sourceLocation)
        let failure = try #require(error, sourceLocation: sourceLocation)
        #expect(failure.message.hasSuffix("."), "\(failure.message)", sourceLocation: sourceLocation)
        return failure
    }

    @Test("F1 F19 P31 P32 C303: what is no picture is refused by its bytes and kept nowhere")
    func notAnImage() async throws {
        let page = try await failure(.file(Array("<!DOCTYPE html><html></html>".utf8), type: "image/png"))
        #expect(page.code.rawValue == "notAnImage" && page.stage == .decode && !page.isRetryable)
        #expect(try await failure(.file([], type: "image/png")).code.rawValue == "empty")
        #expect(try await failure(.file([0xFF])).code.rawValue == "notAnImage")
    }

    @Test("P10 F2: a file cut at each sixteenth is an error in every format", arguments: PipelineScene.formats)
    func truncated(format: ImageFormat) async throws {
        let whole = try PipelineScene.sample(of: format)
        for part in 0..<16 {
            let error = try await failure(.file(Array(whole.prefix(whole.count * part / 16))))
            #expect(
                ["empty", "notAnImage", "truncated", "malformed"].contains(error.code.rawValue), "\(part)/16: \(error)")
        }
    }

    @Test("F4 P8 C303: a header that claims 65,535 × 65,535 is refused before memory is taken")
    func hugeHeader() async throws {
        let error = try await failure(.file(PipelineScene.hugePNG))
        #expect(error.code.rawValue == "tooManyPixels" && error.stage == .decode && !error.isRetryable)
    }

    @Test("P32 S098: the wrong ending and the wrong type change nothing", arguments: PipelineScene.formats)
    func wrongType(format: ImageFormat) async throws {
        origin.route("/picture.txt", .file(try PipelineScene.sample(of: format), type: "text/html"))
        let response = try await scene.pipeline.response(for: ImageRequest(url: origin.url("/picture.txt")))
        #expect(response.info.format == format)
        #expect(response.bitmap.size == response.info.size)
    }

    @Test("a single pixel is a picture", arguments: [ImageFormat.jpeg, .png, .webp])
    func singlePixel(format: ImageFormat) async throws {
        var dot = try Bitmap(uninitialized: PixelSize(width: 1, height: 1), format: .rgbx8)
        try dot.withUnsafeMutableBytes { $0.copyBytes(from: [255, 0, 0, 255]) }
        origin.route("/dot", .file(try CoderRegistry.standard.encode(dot, as: format).array))
        let request = ImageRequest(url: origin.url("/dot"), target: TargetSize(width: 10, height: 10))
        #expect(try await scene.pipeline.response(for: request).bitmap.size == PixelSize(width: 1, height: 1))
    }

    @Test(
        "P37 P44 C307: a status other than 200 is an error that says so",
        arguments: [(404, false), (410, false), (403, false), (500, true), (503, true), (204, false)])
    func status(status: Int, isRetryable: Bool) async throws {
        let error = try await failure(.status(status))
        #expect(error.code.rawValue == "httpStatus" && error.stage == .fetch)
        #expect(error.statusCode == status && error.isRetryable == isRetryable)
    }

    @Test("F22: a refused connection can be tried again")
    func refused() async throws {
        let url = try OriginServer.refusingURL("/picture")
        let error = await #expect(throws: ImageError.self) {
            _ = try await scene.pipeline.response(for: ImageRequest(url: url))
        }
        #expect(error?.code.rawValue == "connectionFailed" && error?.isRetryable == true)
    }

    @Test("P10 F24: a body shorter than its announced length is an error, though a picture could be made of it")
    func shortBody() async throws {
        let whole = try PipelineScene.sample(of: .png)
        let error = try await failure(.short(whole, declaring: whole.count + 1))
        #expect(error.code.rawValue == "truncatedBody" && error.isRetryable)
        let reset = try await failure(.reset(after: Array(whole.prefix(20)), declaring: whole.count))
        #expect(reset.stage == .fetch && reset.isRetryable)
        #expect(try await failure(.abortedChunks(whole)).isRetryable)
    }

    @Test("F27 P15: a redirect in a circle ends")
    func redirectLoop() async throws {
        let error = try await failure(.redirect(to: "/picture"))
        #expect(error.code.rawValue == "redirectLoop" && !error.isRetryable)
    }

    @Test("P7 F25 W024: ten gigabytes are refused at the header, and a body without end at the cap")
    func tooMuch() async throws {
        let announced = try await failure(.announcing("10000000000"))
        #expect(announced.code.rawValue == "bodyTooLarge" && !announced.isRetryable)
        #expect(origin.record.bytesSent < 4_096)
        let scene = try PipelineScene(over: .http, maxBodyBytes: 1 << 20)
        origin.route("/endless", .endless())
        let error = await #expect(throws: ImageError.self) {
            _ = try await scene.pipeline.response(for: ImageRequest(url: origin.url("/endless")))
        }
        #expect(error?.code.rawValue == "bodyTooLarge")
    }

    @Test("P34 F35: a cache folder that cannot be written gives pictures all the same, and one warning")
    func unwritableFolder() async throws {
        let blocked = FileManager.default.temporaryDirectory.appendingPathComponent("webimage-\(UUID().uuidString)")
        try Data("a file where the folder should be".utf8).write(to: blocked)
        defer { try? FileManager.default.removeItem(at: blocked) }
        try await expectPicturesAndOneWarning(PipelineScene(over: .http, directory: blocked.path + "/cache"))
    }

    @Test("P34 F35: a full disk gives pictures all the same, one warning, and no temporary file")
    func fullDisk() async throws {
        let files = FaultyFileSystem()
        files.fail(.write, ENOSPC)
        let scene = try PipelineScene(over: .http, files: files)
        try await expectPicturesAndOneWarning(scene)
        #expect(scene.entryFiles == [])
        files.heal()
        origin.route("/after", .file(try PipelineScene.sample(of: .png)))
        _ = try await scene.pipeline.response(for: ImageRequest(url: origin.url("/after")))
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles.count == 1)
    }

    private func expectPicturesAndOneWarning(_ scene: PipelineScene) async throws {
        for index in 0..<5 {
            origin.route("/\(index)", .file(try PipelineScene.sample(of: .png)))
            let response = try await scene.pipeline.response(for: ImageRequest(url: origin.url("/\(index)")))
            #expect(response.tier == .network)
        }
        await scene.pipeline.finishWrites()
        #expect(scene.warnings.count == 1)
    }

    @Test("P11: sizes that make no sense are refused before anything is asked", arguments: [0, -1, 65_536])
    func badSize(side: Int) async throws {
        let request = ImageRequest(url: origin.url("/picture"), target: TargetSize(width: side))
        let error = await #expect(throws: ImageError.self) { _ = try await scene.pipeline.response(for: request) }
        #expect(error?.code == .invalidRequest && error?.stage == .request)
        #expect(origin.record.requests.isEmpty)
    }

    @Test("P39 W016: enlarging keeps to the limits too, and a size that makes no sense finds nothing in memory")
    func enlarging() async throws {
        let scene = try PipelineScene()
        scene.transport.answer("https://example.org/thin", with: .body(try PipelineScene.png(1, 4_000), mediaType: ""))
        var request = try scene.request("https://example.org/thin")
        request.target = TargetSize(width: 400, allowsUpscaling: true)
        let error = await #expect(throws: ImageError.self) { _ = try await scene.pipeline.response(for: request) }
        #expect(error?.code.rawValue == "sideTooLong")
        request.target = TargetSize(height: 30)
        _ = try await scene.pipeline.response(for: request)
        request.target = TargetSize(width: 0, height: 30)
        #expect(scene.pipeline.cachedResponse(for: request) == nil)
    }

    @Test("P44: an error never shows a password or a query")
    func redaction() async throws {
        let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(origin.port)/nothing?token=hidden"))
        let error = await #expect(throws: ImageError.self) {
            _ = try await scene.pipeline.response(for: ImageRequest(url: url))
        }
        let text = try #require(error?.description)
        #expect(!text.contains("secret") && !text.contains("hidden"))
        #expect(text.contains("/nothing"))
    }
}
