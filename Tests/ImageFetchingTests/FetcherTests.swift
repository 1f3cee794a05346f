import ByteBuffers
import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import ImageFetching

@Suite struct FetcherTests {
    let origin: OriginServer

    init() throws { origin = try OriginServer() }

    private func fetcher(_ configuration: Fetcher.Configuration = .init()) -> Fetcher {
        var configuration = configuration
        configuration.timeout = FetchLimits.patient().timeout
        configuration.retry = .none
        return Fetcher(
            configuration: configuration,
            transports: [CurlTransport(configuration: .init(proxy: .none)), FileTransport(), DataURLTransport()])
    }

    private func error(_ path: String, _ configuration: Fetcher.Configuration = .init()) async -> FetchError? {
        do {
            _ = try await fetcher(configuration).fetch(FetchRequest(url: origin.url(path)))
            return nil
        } catch { return error }
    }

    @Test("S064 S085: a fetch sends its standard fields and returns the whole body") func fetches() async throws {
        let bytes = [UInt8](repeating: 3, count: 3 << 20)
        origin.route("/a", .file(bytes, type: "image/png"))
        let resource = try await fetcher().fetch(FetchRequest(url: origin.url("/a")))
        #expect(resource.bytes.array == bytes && resource.origin == .network)
        #expect(resource.hops == [origin.url("/a")])
        let request = try #require(origin.record.requests.first)
        #expect(request["Accept"] == "image/*;q=0.8,*/*;q=0.5" && request["Accept-Encoding"] == "identity")
        #expect(request["User-Agent"] == "swift-web-image/0.1")
    }

    @Test(
        "P31 P37: only a plain 200 is accepted, and the status says what may be retried",
        arguments: [
            (201, false), (204, false), (206, false), (300, false), (400, false), (401, false),
            (403, false),
            (404, false), (410, false), (408, true), (425, true), (429, true), (500, true), (502, true), (503, true),
        ]) func statuses(_ status: Int, _ retryable: Bool) async throws
    {
        let hasBody = status != 204 && status != 304
        origin.route("/a", hasBody ? .status(status, text: "why") : OriginResponse(status: status))
        let error = try #require(await error("/a"))
        #expect(error.code == .httpStatus && error.statusCode == status && error.isRetryable == retryable)
        #expect(error.bodyStart.array == Array((hasBody ? "why" : "").utf8))
    }

    @Test("P31: of a long error page, 64 KiB are kept") func longErrorPage() async throws {
        origin.route(
            "/a", OriginResponse(status: 500, framing: .chunked, body: [.endless([UInt8](repeating: 65, count: 999))]))
        #expect(try #require(await error("/a")).bodyStart.count == 64 << 10)
        await origin.waitUntil { $0.abandoned == 1 }
    }

    @Test("F26: a body that was compressed unasked is refused") func encodings() async throws {
        origin.route("/a", OriginResponse.file([1]).with("Content-Encoding", "gzip"))
        #expect(await error("/a")?.code == .unsupportedContentEncoding)
    }

    @Test("P15 F27: redirects are followed on the same connection, five of them", arguments: [301, 302, 303, 307, 308])
    func redirects(_ status: Int) async throws {
        for hop in 0..<6 { origin.route("/\(hop)", .redirect(to: "/\(hop + 1)", status: status)) }
        origin.route("/6", .file([1]))
        let resource = try await fetcher().fetch(FetchRequest(url: origin.url("/1")))
        #expect(resource.hops == (1...6).map { origin.url("/\($0)") })
        #expect(resource.head.finalURL == origin.url("/6"))
        #expect(origin.record.connections == 1)
        #expect(await error("/0")?.code == .tooManyRedirects)
    }

    @Test("F27: a loop ends at once") func loop() async throws {
        origin.route("/a", .redirect(to: "/b"))
        origin.route("/b", .redirect(to: "/a"))
        #expect(await error("/a")?.code == .redirectLoop)
        #expect(origin.record.paths == ["/a", "/b"])
    }

    @Test("P15: another origin never sees credentials") func credentials() async throws {
        let other = try OriginServer()
        other.route("/b", .file([1]))
        origin.route("/a", .redirect(to: "/c"))
        origin.route("/c", .redirect(to: other.url("/b").absoluteString))
        let headers: HTTPHeaders = ["Authorization": "x", "Cookie": "y", "X-Key": "z", "X-Open": "w"]
        let request = FetchRequest(url: origin.url("/a"), headers: headers, sensitiveHeaders: ["X-Key"])
        _ = try await fetcher().fetch(request)
        #expect(origin.record.requests.allSatisfy { $0["Authorization"] == "x" && $0["X-Key"] == "z" })
        let seen = try #require(other.record.requests.first)
        #expect(seen["Authorization"] == nil && seen["Cookie"] == nil && seen["X-Key"] == nil && seen["X-Open"] == "w")
    }

    @Test("S056 S062 C156: no more than the configured downloads run at once; others take their slots") func slots()
        async throws
    {
        let gate = Gate()
        for number in 0..<12 { origin.route("/\(number)", OriginResponse.file([1]).held(by: gate)) }
        let fetcher = fetcher()
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<12 {
                let request = FetchRequest(url: origin.url("/\(number)"))
                group.addTask { (try? await fetcher.fetch(request))?.bytes.count ?? 0 }
            }
            await origin.waitUntil { $0.requests.count == 6 }
            // A local resource needs no slot.
            if let url = URL(string: "data:,hi") {
                #expect((try? await fetcher.fetch(FetchRequest(url: url)))?.origin == .local)
            }
            #expect(origin.record.requests.count == 6 && fetcher.downloadCounts.running == 6)
            gate.open()
            #expect(await group.reduce(0, +) == 12)
        }
        #expect(fetcher.downloadCounts == (0, 0))
    }

    @Test("P6: cancelled in the queue, a fetch sends nothing and the slot stays whole") func cancelQueued() async throws
    {
        let gate = Gate()
        origin.route("/held", OriginResponse.file([1]).held(by: gate))
        origin.route("/never", .file([1]))
        let fetcher = fetcher(.init(maxConcurrentDownloads: 1))
        let held = Task { try await fetcher.fetch(FetchRequest(url: origin.url("/held"))).bytes.count }
        await origin.waitUntil { $0.requests.count == 1 }
        let queued = Task { try await fetcher.fetch(FetchRequest(url: origin.url("/never"))).bytes.count }
        while fetcher.downloadCounts.waiting == 0 { await Task.yield() }
        queued.cancel()
        let result = await queued.result
        let error = #expect(throws: FetchError.self) { try result.get() }
        #expect(error?.code == .cancelled)
        gate.open()
        #expect(try await held.value == 1)
        #expect(origin.record.paths == ["/held"] && fetcher.downloadCounts == (0, 0))
    }

    @Test("S086 C158 C165 C168: progress starts at nothing, grows, and ends with everything, though no length is known")
    func progress() async throws {
        let gates = (0..<9).map { _ in Gate() }
        origin.route("/a", .drip((0..<10).map { _ in [UInt8](repeating: 1, count: 100) }, gates: gates))
        let reports = Mutex<[FetchProgress]>([])
        for gate in gates.dropLast() { gate.open() }
        gates[8].open()
        _ = try await fetcher(.init(progressInterval: .zero)).fetch(FetchRequest(url: origin.url("/a"))) { report in
            reports.withLock { $0.append(report) }
        }
        let received = reports.withLock { $0.map(\.received) }
        #expect(reports.withLock { $0.allSatisfy { $0.expected == nil && $0.fraction == nil } })
        #expect(received.first == 0 && received.last == 1_000 && received == received.sorted())
    }

    @Test("C302: unknown schemes and broken addresses have codes") func schemes() async throws {
        for (text, code) in [("ftp://a.test/x", FetchError.Code.unsupportedScheme), ("/x", .invalidURL)] {
            let url = try #require(URL(string: text))
            let error = await #expect(throws: FetchError.self) { try await fetcher().fetch(FetchRequest(url: url)) }
            #expect(error?.code == code)
        }
    }

    @Test("P44: messages show neither credentials nor queries") func redaction() throws {
        let table = [
            "https://user:pass@a.test:81/x%20y.jpg?token=1#f": "https://a.test:81/x%20y.jpg?…",
            "https://a.test/x.jpg?token=1#f?g": "https://a.test/x.jpg?…",
            "https://a.test/x.jpg#f?g@h": "https://a.test/x.jpg",
            "https://a.test/x@y.jpg": "https://a.test/x@y.jpg",
            "https://user@a.test/x.jpg": "https://a.test/x.jpg",
            "data:text/plain,secret": "data:…",
        ]
        for (text, wanted) in table { #expect(try #require(URL(string: text)).redacted == wanted) }
    }
}
