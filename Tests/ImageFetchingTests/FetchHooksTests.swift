import ByteBuffers
import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import ImageFetching

@Suite struct FetchHooksTests {
    let origin: OriginServer

    init() throws { origin = try OriginServer() }

    struct Veto: Error {}

    private func fetcher(_ hooks: FetchHooks = FetchHooks(), _ responses: ResponseRule = .init()) -> Fetcher {
        var configuration = Fetcher.Configuration()
        configuration.timeout = FetchLimits.patient().timeout
        configuration.retry = .none
        configuration.responses = responses
        return Fetcher(
            configuration: configuration, transports: [CurlTransport(configuration: .init(proxy: .none))], hooks: hooks)
    }

    private func code(_ fetcher: Fetcher, _ request: FetchRequest, hooks: [FetchHooks] = []) async -> FetchError.Code? {
        do throws(FetchError) {
            _ = try await fetcher.fetch(request, hooks: hooks)
            return nil
        } catch { return error.code }
    }

    @Test("C074 C139 C178: hooks change the request of every hop, the fetcher's before the fetch's own")
    func requests() async throws {
        origin.route("/a", .redirect(to: "/b"))
        origin.route("/b", .file([1]))
        let first = FetchHooks(request: { request in
            var request = request
            request.headers["X-Token"] = "one"
            return request
        })
        let second = FetchHooks(request: { request in
            var request = request
            request.headers["X-Token"] = (request.headers["X-Token"] ?? "") + " two"
            return request
        })
        let resource = try await fetcher(first).fetch(FetchRequest(url: origin.url("/a")), hooks: [second])
        #expect(origin.record.requests.map { $0["X-Token"] } == ["one two", "one two"])
        #expect(resource.request.headers["X-Token"] == "one two")
    }

    @Test("C306: a hook that cannot prepare the request ends the fetch, and nothing is sent")
    func refusedRequest() async {
        let fetcher = fetcher(FetchHooks(request: { _ in throw Veto() }))
        #expect(await code(fetcher, FetchRequest(url: origin.url("/a"))) == .requestRefused)
        #expect(origin.record.requests.isEmpty && fetcher.downloadCounts == (0, 0))
    }

    @Test("P6 P15: cancelled while a hook is suspended, a fetch sends nothing and gives its slot back")
    func cancelledInHook() async {
        let gate = AsyncGate()
        let entered = Tally()
        let fetcher = fetcher(
            FetchHooks(request: { request in
                entered.add()
                try await gate.pass()
                return request
            }))
        let url = origin.url("/a")
        let work = Task { await code(fetcher, FetchRequest(url: url)) }
        await entered.reaches(1)
        work.cancel()
        #expect(await work.value == .cancelled)
        #expect(origin.record.connections == 0 && fetcher.downloadCounts == (0, 0))
    }

    @Test("C179 C309: a hook sees the head, may rewrite it, and may refuse it before the body is read")
    func responses() async throws {
        origin.route("/missing", .status(404, text: "picture"))
        origin.route("/long", .endless())
        let rewriting = FetchHooks(response: { head in
            ResponseHead(
                status: 200, headers: head.headers, expectedByteCount: head.expectedByteCount, finalURL: head.finalURL)
        })
        let resource = try await fetcher(rewriting).fetch(FetchRequest(url: origin.url("/missing")))
        #expect(resource.bytes.array == Array("picture".utf8) && resource.head.status == 200)
        let refusing = fetcher(FetchHooks(response: { _ in throw Veto() }))
        #expect(await code(refusing, FetchRequest(url: origin.url("/long"))) == .responseRefused)
        await origin.waitUntil { $0.abandoned == 1 }
    }

    @Test("C180 C139: a hook decrypts the body; what it makes nothing of is refused")
    func bodies() async throws {
        origin.route("/a", .file([1, 2, 3]))
        let decrypting = FetchHooks(body: { bytes, _ in Bytes(bytes.array.map { $0 ^ 0xFF }) })
        #expect(
            try await fetcher(decrypting).fetch(FetchRequest(url: origin.url("/a"))).bytes.array == [0xFE, 0xFD, 0xFC])
        let request = FetchRequest(url: origin.url("/a"))
        #expect(await code(fetcher(FetchHooks(body: { _, _ in Bytes() })), request) == .bodyRefused)
        #expect(await code(fetcher(FetchHooks(body: { _, _ in throw Veto() })), request) == .bodyRefused)
    }

    @Test("C166: a head is judged by the hook, its status, its coding and its media type, in this order, then the body")
    func order() async {
        let wrong = OriginResponse(
            status: 404, headers: [("Content-Encoding", "br"), ("Content-Type", "text/html")],
            body: [.bytes(Array("nothing".utf8))])
        origin.route("/a", wrong)
        let rule = ResponseRule(mediaTypes: ["image/*"])
        let request = FetchRequest(url: origin.url("/a"))
        /// A hook that puts right, one after the other, what is wrong with the head.
        func mended(_ steps: Int) -> FetchHooks {
            FetchHooks(
                response: { head in
                    var headers = head.headers
                    if steps > 1 { headers["Content-Encoding"] = nil }
                    if steps > 2 { headers["Content-Type"] = "image/png" }
                    return ResponseHead(
                        status: steps > 0 ? 200 : head.status, headers: headers,
                        expectedByteCount: head.expectedByteCount, finalURL: head.finalURL)
                },
                body: { _, _ in throw Veto() })
        }
        let refusing = FetchHooks(response: { _ in throw Veto() })
        var codes = [await code(fetcher(refusing, rule), request)]
        for steps in 0...3 { codes.append(await code(fetcher(mended(steps), rule), request)) }
        #expect(
            codes == [
                .responseRefused, .httpStatus, .unsupportedContentEncoding, .unacceptableMediaType, .bodyRefused,
            ])
    }

    @Test("C163 W004: the accepted statuses are what the configuration says; a part or nothing is never taken")
    func statuses() async {
        for status in [200, 201, 203, 206] { origin.route("/\(status)", .status(status, text: "x")) }
        let rule = ResponseRule(statusCodes: [200, 201, 206])
        var refused: [Int: FetchError.Code] = [:]
        for status in [200, 201, 203, 206] {
            refused[status] = await code(fetcher(.init(), rule), FetchRequest(url: origin.url("/\(status)")))
        }
        #expect(refused == [203: .httpStatus, 206: .httpStatus])
    }

    @Test(
        "C164 C310: accepted media types, wildcards and missing types",
        arguments: [
            ("image/png", true), ("image/svg+xml; charset=utf-8", true), ("IMAGE/PNG", true), ("text/html", false),
            ("application/octet-stream", false),
        ])
    func mediaTypes(_ type: String, _ isAccepted: Bool) async {
        origin.route("/a", .file([1], type: type))
        origin.route("/untyped", OriginResponse(body: [.bytes([1])]))
        let fetcher = fetcher(.init(), ResponseRule(mediaTypes: ["image/*"]))
        #expect(
            await code(fetcher, FetchRequest(url: origin.url("/a"))) == (isAccepted ? nil : .unacceptableMediaType))
        #expect(await code(fetcher, FetchRequest(url: origin.url("/untyped"))) == nil)
    }

    @Test("C167 P3: 304 is an answer to a condition, and an error where none was sent")
    func notModified() async throws {
        origin.route("/a", OriginResponse(status: 304, headers: [("ETag", "\"1\"")]))
        let asked = FetchRequest(url: origin.url("/a"), headers: ["If-None-Match": "\"1\""])
        let resource = try await fetcher().fetch(asked)
        #expect(resource.head.status == 304 && resource.bytes.isEmpty)
        #expect(await code(fetcher(), FetchRequest(url: origin.url("/a"))) == .protocolError)
    }

    @Test("P18: local reads take a slot of their own, so that no more than four files are open at once")
    func localReads() async throws {
        let transport = CountingTransport()
        let fetcher = Fetcher(transports: [transport])
        let url = try #require(URL(string: "memory:1"))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2_000 { group.addTask { _ = try? await fetcher.fetch(FetchRequest(url: url)) } }
        }
        #expect(transport.counts.withLock { $0.most } <= 4 && transport.counts.withLock { $0.all } == 2_000)
    }

    /// Counts what is open at once. Serves a scheme of a program's own.
    private final class CountingTransport: Transport {
        let schemes: Set<String> = ["memory"]
        let counts = Mutex((open: 0, most: 0, all: 0))

        func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
            counts.withLock { counts in
                counts.open += 1
                counts.all += 1
                counts.most = max(counts.most, counts.open)
            }
            await Task.yield()
            return TransportResponse(head: ResponseHead(finalURL: request.url), body: Body(self))
        }

        private final class Body: BodyStream {
            private let transport: CountingTransport
            private let isOpen = Mutex(true)

            init(_ transport: CountingTransport) { self.transport = transport }

            func next() async throws -> Bytes? {
                await Task.yield()
                cancel()
                return nil
            }

            func cancel() {
                let wasOpen = isOpen.withLock { isOpen in
                    defer { isOpen = false }
                    return isOpen
                }
                if wasOpen { transport.counts.withLock { $0.open -= 1 } }
            }
        }
    }
}
