import Testing
import WebImage
import WebImageTesting

/// What a pipeline remembers of failures, on a clock that stands still.
@Suite struct RememberedFailureTests {
    static let address = "https://example.org/photo.png"

    let scene: PipelineScene
    let picture: [UInt8]

    init() throws {
        scene = try PipelineScene()
        picture = try PipelineScene.png(8, 8)
    }

    private func code(_ change: (inout ImageRequest) -> Void = { _ in }) async throws -> ImageError.Code? {
        var request = try scene.request(Self.address)
        change(&request)
        do throws(ImageError) {
            _ = try await scene.pipeline.response(for: request)
            return nil
        } catch { return error.code }
    }

    @Test(
        "P11 S099 C010: what was offline, timed out or was busy is asked again at once",
        arguments: [
            ScriptedTransport.Answer.failure(FetchError(.dns, "No such host.")),
            .failure(FetchError(.timeout, "Too slow.")), .failure(FetchError(.connectionFailed, "Refused.")),
            .status(500), .status(503), .status(408),
        ])
    func notRemembered(_ answer: ScriptedTransport.Answer) async throws {
        scene.transport.answer(Self.address, with: answer)
        #expect(try await code() != nil)
        scene.transport.answer(Self.address, with: .body(picture, mediaType: "image/png"))
        #expect(try await code() == nil)
    }

    @Test("P11 W028 S037 S038 S039: what is not there is not asked for again within a minute, and then it is")
    func notFound() async throws {
        scene.transport.answer(Self.address, with: .status(404))
        #expect(try await code() == .httpStatus)
        scene.transport.answer(Self.address, with: .body(picture, mediaType: "image/png"))
        scene.clock.advance(by: .seconds(59))
        #expect(try await code() == .httpStatus)
        #expect(scene.transport.requests.count == 1)
        scene.clock.advance(by: .seconds(1))
        #expect(try await code() == nil)
    }

    @Test("P11: the server says how long a 404 holds, but no longer than a minute counts")
    func cacheControl() async throws {
        scene.transport.answer(Self.address, with: .response(404, headers: [("Cache-Control", "max-age=5")]))
        #expect(try await code() == .httpStatus)
        scene.clock.advance(by: .seconds(6))
        #expect(try await code() == .httpStatus)
        #expect(scene.transport.requests.count == 2)
    }

    @Test("P11 C009 C011 C027: an explicit retry asks at once, and its success is there for all; so does forgetting")
    func explicitRetry() async throws {
        scene.transport.answer(Self.address, with: .status(404))
        #expect(try await code() == .httpStatus)
        scene.pipeline.forgetFailures()
        #expect(try await code() == .httpStatus)
        #expect(scene.transport.requests.count == 2)
        scene.transport.answer(Self.address, with: .body(picture, mediaType: "image/png"))
        #expect(try await code { $0.options.ignoresFailures = true } == nil)
        await scene.pipeline.finishWrites()
        #expect(try await code { $0.caching.memory = .write } == nil)
        #expect(scene.transport.requests.count == 3)
    }

    @Test("C010 C303 C305: bytes that are no picture are not fetched again for ten seconds")
    func undecodable() async throws {
        scene.transport.answer(Self.address, with: .body(Array("<html>".utf8), mediaType: "image/png"))
        #expect(try await code() == .notAnImage)
        #expect(try await code() == .notAnImage)
        #expect(scene.transport.requests.count == 1)
        scene.clock.advance(by: .seconds(10))
        #expect(try await code() == .notAnImage)
        #expect(scene.transport.requests.count == 2)
    }

    @Test("W028 C010: a failure never hides what is cached")
    func behindTheCache() async throws {
        let origin = VersionedOrigin(
            scene, body: picture, fields: [("Cache-Control", "max-age=100")], address: Self.address)
        #expect(try await code() == nil)
        await scene.pipeline.finishWrites()
        origin.change { $0.failure = .status(404) }
        #expect(try await code { $0.caching.rule = .networkOnly } == .httpStatus)
        #expect(try await code() == nil)
        #expect(try await code { $0.caching.memory = [] } == nil)
    }

    @Test("P11: a cancelled load leaves nothing behind")
    func cancelled() async throws {
        scene.transport.answer(Self.address, with: .body(picture, mediaType: "image/png"))
        scene.transport.gate.close()
        let task = scene.pipeline.task(for: try scene.request(Self.address))
        await scene.transport.arrivals.reaches(1)
        task.cancel()
        scene.transport.gate.open()
        #expect(try await code() == nil)
    }
}
