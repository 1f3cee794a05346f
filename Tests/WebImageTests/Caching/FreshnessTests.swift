import Foundation
import Testing
import WebImage
import WebImageTesting

/// HTTP's rules through the whole pipeline: memory, disk and a scripted origin, on a clock that stands still.
@Suite struct FreshnessTests {
    let scene: PipelineScene
    let red: [UInt8], wide: [UInt8]

    init() throws {
        scene = try PipelineScene()
        red = try PipelineScene.png(8, 8)
        wide = try PipelineScene.png(16, 8)
    }

    private func load(
        _ origin: VersionedOrigin, _ rule: FreshnessRule = .standard, in pipeline: ImagePipeline? = nil
    ) async throws -> ImageResponse {
        var request = try scene.request(origin.address)
        request.caching.rule = rule
        let response = try await (pipeline ?? scene.pipeline).response(for: request)
        await (pipeline ?? scene.pipeline).finishWrites()
        return response
    }

    @Test("P36 S016 S049: a year of max-age: no request in this process, and none after a restart")
    func fresh() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=31536000")])
        #expect(try await load(origin).tier == .network)
        scene.clock.advance(by: .seconds(300 * 86_400))
        #expect(try await load(origin).tier == .memory)
        let restarted = try await load(origin, in: scene.restarted())
        #expect(restarted.tier == .disk && restarted.freshness == .fresh)
        #expect(scene.transport.requests.count == 1)
    }

    @Test("P2 W026 C022: stale: asked with its tag; 304 renews memory and disk, and nothing is decoded again")
    func confirmed() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=60")])
        _ = try await load(origin)
        scene.clock.advance(by: .seconds(61))
        let again = try await load(origin)
        #expect(again.tier == .disk && again.freshness == .revalidated && again.trail.status == 304)
        #expect(scene.transport.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\""])
        #expect(scene.coder.decodes.count == 1)
        #expect(try await load(origin).tier == .memory)
        scene.clock.advance(by: .seconds(59))
        #expect(try await load(origin, in: scene.restarted()).freshness == .fresh)
        #expect(scene.transport.requests.count == 2)
    }

    @Test("P2 S150: the picture behind the address has changed: the new one replaces the old in memory and on disk")
    func changed() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=0")])
        #expect(try await load(origin).bitmap.width == 8)
        origin.change { ($0.tag, $0.body) = ("\"2\"", wide) }
        let new = try await load(origin)
        #expect(new.tier == .network && new.bitmap.width == 16)
        scene.clock.advance(by: .seconds(1))
        let kept = try await load(origin, .cacheOnly, in: scene.restarted())
        #expect(kept.bitmap.width == 16)
    }

    @Test("P2: stale-while-revalidate: the old picture at once, the new one from then on")
    func whileRevalidating() async throws {
        let fields = [("Cache-Control", "max-age=10, stale-while-revalidate=60")]
        let origin = VersionedOrigin(scene, body: red, fields: fields)
        _ = try await load(origin)
        scene.clock.advance(by: .seconds(30))
        origin.change { ($0.tag, $0.body) = ("\"2\"", wide) }
        scene.transport.gate.close()
        let request = try scene.request(origin.address)
        let old = try #require(scene.pipeline.cachedResponse(for: request))
        #expect(old.bitmap.width == 8 && old.freshness == .stale)
        await scene.transport.arrivals.reaches(2)
        // More of them ask no more.
        #expect(scene.pipeline.cachedResponse(for: request)?.bitmap.width == 8)
        scene.transport.gate.open()
        // The same on disk, in a process whose memory is empty.
        while scene.pipeline.cachedResponse(for: request)?.bitmap.width != 16 { await Task.yield() }
        #expect(scene.transport.requests.count == 2)
    }

    @Test("P2: stale-while-revalidate from the disk, after a restart")
    func whileRevalidatingFromDisk() async throws {
        let origin = VersionedOrigin(
            scene, body: red, fields: [("Cache-Control", "max-age=10, stale-while-revalidate=60")])
        _ = try await load(origin)
        scene.clock.advance(by: .seconds(30))
        let response = try await load(origin, in: scene.restarted())
        #expect(response.tier == .disk && response.freshness == .stale)
        await scene.transport.arrivals.reaches(2)
    }

    @Test("P36: the origin cannot be reached: the old picture, marked stale; with must-revalidate the error")
    func offline() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=10")])
        _ = try await load(origin)
        scene.clock.advance(by: .seconds(60))
        origin.change { $0.failure = .failure(FetchError(.dns, "No such host.")) }
        let stale = try await load(origin)
        #expect(stale.tier == .disk && stale.freshness == .stale && stale.trail.error?.code == .dns)
        // It is not taken for fresh from now on: the next load asks again.
        origin.change { $0.failure = nil }
        #expect(try await load(origin).freshness == .revalidated)

        let strict = VersionedOrigin(
            scene, body: red, fields: [("Cache-Control", "max-age=10, must-revalidate")],
            address: "https://example.org/strict.png")
        _ = try await load(strict)
        scene.clock.advance(by: .seconds(60))
        strict.change { $0.failure = .failure(FetchError(.dns, "No such host.")) }
        await #expect(throws: ImageError.self) { _ = try await load(strict) }
    }

    @Test("P36: a server that fails: the old picture within stale-if-error, the error after it")
    func staleIfError() async throws {
        let origin = VersionedOrigin(
            scene, body: red, fields: [("Cache-Control", "max-age=10, stale-if-error=100")])
        _ = try await load(origin)
        origin.change { $0.failure = .status(500) }
        scene.clock.advance(by: .seconds(60))
        let stale = try await load(origin)
        #expect(stale.freshness == .stale && stale.trail.status == 500)
        scene.clock.advance(by: .seconds(60))
        await #expect(throws: ImageError.self) { _ = try await load(origin) }
    }

    @Test("P36 F31: no-store: neither memory nor disk ever has a byte of it")
    func noStore() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "no-store")])
        #expect(try await load(origin).tier == .network)
        #expect(scene.pipeline.cachedResponse(for: try scene.request(origin.address)) == nil)
        #expect(scene.entryFiles.isEmpty)
        #expect(try await load(origin).tier == .network)
    }

    @Test("P45 C110: a lifetime of the request's own: the headers are passed over, no-store as well")
    func ownLifetime() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "no-store, max-age=0")])
        let rule = FreshnessRule.lifetime(.seconds(100))
        #expect(try await load(origin, rule).tier == .network)
        scene.clock.advance(by: .seconds(99))
        #expect(try await load(origin, rule).tier == .memory)
        #expect(try await load(origin, rule, in: scene.restarted()).tier == .disk)
        scene.clock.advance(by: .seconds(2))
        #expect(try await load(origin, rule).freshness == .revalidated)
        #expect(scene.transport.requests.count == 2)
    }

    @Test("P36: what was kept against the server's will serves only who asked for that")
    func ownLifetimeAlone() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "no-store, max-age=1000")])
        #expect(try await load(origin, .lifetime(.seconds(100))).tier == .network)
        #expect(try await load(origin, .lifetime(.seconds(100))).tier == .memory)
        #expect(try await load(origin).tier == .network)
    }

    @Test("S082 C147: a request's own Cache-Control is heard by memory as well")
    func wishes() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=1000")])
        _ = try await load(origin)
        var request = try scene.request(origin.address)
        request.headers["Cache-Control"] = "no-cache"
        let asked = try await scene.pipeline.response(for: request)
        #expect(asked.freshness == .revalidated && scene.transport.requests.count == 2)
    }

    @Test(
        "C042 C016 S050: cache only: what is old is marked stale, what is missing an error, and the origin hears nothing"
    )
    func cacheOnly() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=10")])
        do {
            _ = try await load(origin, .cacheOnly)
            Issue.record("there was nothing")
        } catch let error as ImageError {
            #expect(error.code == .notCached && !error.isRetryable)
        }
        _ = try await load(origin)
        #expect(try await load(origin, .cacheOnly).freshness == .fresh)
        scene.clock.advance(by: .seconds(11))
        let memory = try await load(origin, .cacheOnly)
        #expect(memory.tier == .memory && memory.freshness == .stale)
        let disk = try await load(origin, .cacheOnly, in: scene.restarted())
        #expect(disk.tier == .disk && disk.freshness == .stale)
        #expect(scene.transport.requests.count == 1)
    }

    @Test("C043: network only: what is cached is not used, and the answer is kept")
    func networkOnly() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=100")])
        _ = try await load(origin)
        #expect(try await load(origin, .networkOnly).tier == .network)
        #expect(scene.transport.requests.map { $0.headers["If-None-Match"] } == [nil, nil])
        #expect(try await load(origin).tier == .memory)
    }

    @Test("C030 S047 C022 W013: revalidate: the cached picture first, then one outcome, changed or confirmed")
    func revalidate() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=1000")])
        _ = try await load(origin)
        func events() async throws -> (shown: [Int], outcome: ImageResponse) {
            var request = try scene.request(origin.address)
            request.caching.rule = .revalidate
            let task = scene.pipeline.task(for: request)
            var shown: [Int] = []
            for await case .provisional(let response) in task.events { shown.append(response.bitmap.width) }
            return (shown, try await task.response)
        }
        let confirmed = try await events()
        #expect(confirmed.shown == [8] && confirmed.outcome.freshness == .revalidated)
        #expect(scene.coder.decodes.count == 1)
        origin.change { ($0.tag, $0.body) = ("\"2\"", wide) }
        let changed = try await events()
        #expect(changed.shown == [8] && changed.outcome.bitmap.width == 16 && changed.outcome.tier == .network)
        #expect(scene.transport.requests.count == 3)
    }

    @Test(
        "C030: a server without tags sends the same bytes again: nothing is decoded anew, and they count as confirmed")
    func sameBytes() async throws {
        scene.transport.answer(
            "https://example.org/a.png", with: .response(200, headers: [("Cache-Control", "max-age=1")], body: red))
        let request = try scene.request("https://example.org/a.png")
        _ = try await scene.pipeline.response(for: request)
        await scene.pipeline.finishWrites()
        scene.clock.advance(by: .seconds(2))
        let again = try await scene.pipeline.response(for: request)
        #expect(again.tier == .network && again.freshness == .revalidated && scene.coder.decodes.count == 1)
    }

    @Test("P3 F31 C304: a 304 about something that is not there: the whole is fetched, once")
    func wrongNotModified() async throws {
        let address = "https://example.org/odd.png"
        let red = red
        scene.transport.answer(
            address,
            with: .function { request in
                request.headers["If-None-Match"] == nil
                    ? .response(200, headers: [("ETag", "\"1\""), ("Cache-Control", "max-age=0")], body: red)
                    : .response(304, headers: [("ETag", "\"another\"")])
            })
        let request = try scene.request(address)
        _ = try await scene.pipeline.response(for: request)
        await scene.pipeline.finishWrites()
        let again = try await scene.pipeline.response(for: request)
        #expect(again.tier == .network && again.bitmap.width == 8)
        #expect(scene.transport.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", nil])
    }

    @Test("P36: the clock was set back: what memory has is not trusted, and nothing stays fresh for ever")
    func clockSetBack() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=600")])
        _ = try await load(origin)
        scene.clock.advance(by: .seconds(-10 * 365 * 86_400))
        #expect(try await load(origin).freshness == .revalidated)
    }

    @Test("W035: bytes on disk that are no picture any more are dropped and fetched again, in the same load")
    func undecodable() async throws {
        let origin = VersionedOrigin(scene, body: red, fields: [("Cache-Control", "max-age=1000")])
        _ = try await load(origin)
        // A coder that cannot read what is stored: as after an update that has become stricter.
        let picky = PickyDecoder(refusals: 1)
        var configuration = ImagePipeline.Configuration(
            memoryCache: nil, diskCache: DiskCache(DiskCache.Configuration(directory: scene.directory)),
            coders: CoderRegistry(decoders: [picky]), fetcher: scene.fetcher)
        configuration.wallClock = scene.clock.wall
        let pipeline = ImagePipeline(configuration: configuration)
        let response = try await pipeline.response(for: try scene.request(origin.address))
        #expect(response.tier == .network && response.bitmap.width == 8)
        #expect(scene.transport.requests.count == 2)
    }
}

/// Refuses PNG files as malformed, so many times.
private final class PickyDecoder: ImageDecoder {
    private let refusals: Tally
    private let limit: Int
    private let inner = PNGDecoder()

    init(refusals: Int) {
        self.refusals = Tally()
        limit = refusals
    }

    var library: CodecLibrary { inner.library }
    var decodableFormats: [ImageFormat] { inner.decodableFormats }

    func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo { try inner.info(of: bytes) }

    func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        guard refusals.count >= limit else {
            refusals.add()
            throw CodingError(.malformed, "Not today.", format: .png)
        }
        try inner.decode(bytes, options: options, into: sink)
    }
}
