import ByteBuffers
import Foundation
import ImageFetching
import Testing
import WebImageTesting

/// What the libcurl transport makes of a server, one hop at a time.
@Suite struct CurlTransportTests {
    let origin: OriginServer
    let transport = CurlTransport(configuration: .init(proxy: .none))

    init() throws { origin = try OriginServer() }

    /// The head and the whole body of a path.
    private func get(
        _ path: String, headers: HTTPHeaders = HTTPHeaders(), limits: FetchLimits = .patient()
    ) async throws -> (head: ResponseHead, body: [UInt8]) {
        let request = FetchRequest(url: origin.url(path), headers: headers)
        let response = try await transport.open(request, limits: limits)
        var body: [UInt8] = []
        while let piece = try await response.body.next() { body += piece.array }
        return (response.head, body)
    }

    private func failure(_ path: String, limits: FetchLimits = .patient()) async -> FetchError? {
        do {
            _ = try await get(path, limits: limits)
            return nil
        } catch {
            return error as? FetchError
        }
    }

    @Test("S085: a body arrives whole, with its head") func getsAFile() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        origin.route("/a.jpg", .file(bytes, type: "Image/JPEG; q=1"))
        let (head, body) = try await get("/a.jpg?size=2", headers: ["X-Empty": "", "Accept": "image/*"])
        #expect(body == bytes)
        #expect(head.status == 200 && head.httpVersion == "1.1")
        #expect(head.expectedByteCount == bytes.count)
        #expect(head.mediaType == "image/jpeg")
        #expect(head.finalURL == origin.url("/a.jpg?size=2"))
        let request = try #require(origin.record.requests.first)
        #expect(request.method == "GET" && request.target == "/a.jpg?size=2")
        #expect(request["accept"] == "image/*" && request["x-empty"] == "")
        #expect(request["user-agent"] == nil && request["cookie"] == nil)
    }

    @Test("Connections are kept for the next request") func reusesConnections() async throws {
        origin.route("/a", .file([1, 2, 3]))
        for _ in 0..<20 { #expect(try await get("/a").body == [1, 2, 3]) }
        #expect(origin.record.connections == 1)
        #expect(origin.record.requests.count == 20)
    }

    /// A misbehaviour and what must come of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let response: OriginResponse
        let code: FetchError.Code
        var testDescription: String { name }
    }

    static let faults: [Fault] = [
        Fault(name: "short body", response: .short([1, 2, 3], declaring: 10), code: .truncatedBody),
        Fault(name: "reset in the body", response: .reset(after: [1, 2, 3], declaring: 10), code: .connectionLost),
        Fault(name: "aborted chunks", response: .abortedChunks([1, 2, 3]), code: .truncatedBody),
        Fault(name: "10 GB announced", response: .announcing("10000000000"), code: .bodyTooLarge),
        Fault(name: "more digits than fit", response: .announcing("99999999999999999999999"), code: .bodyTooLarge),
        Fault(name: "negative length", response: .announcing("-5"), code: .protocolError),
        Fault(name: "length that is no number", response: .announcing("ten"), code: .protocolError),
        Fault(
            name: "two lengths", response: .announcing("10").with("Content-Length", "11"), code: .protocolError),
        Fault(
            name: "length beside chunks",
            response: .raw(
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
            code: .protocolError),
        Fault(
            name: "chunk size that is no number",
            response: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n"), code: .protocolError),
        Fault(
            name: "chunk size that overflows",
            response: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\nabc\r\n"),
            code: .protocolError),
        Fault(name: "one huge field", response: .headerBomb(count: 1, size: 80 << 10), code: .headerTooLarge),
        Fault(name: "many fields", response: .headerBomb(count: 2_000, size: 40), code: .headerTooLarge),
        Fault(name: "no HTTP at all", response: .raw("hello there\r\n\r\n"), code: .protocolError),
        Fault(name: "no answer", response: OriginResponse(framing: .raw, body: [.close]), code: .connectionLost),
    ]

    @Test("P10 F24 F32: a misbehaving server ends in a typed error", arguments: faults)
    func typedErrors(_ fault: Fault) async throws {
        origin.route("/a", fault.response)
        let error = try #require(await failure("/a"))
        #expect(error.code == fault.code)
        #expect(!error.message.isEmpty)
        // The next request is not disturbed.
        origin.route("/b", .file([7]))
        #expect(try await get("/b").body == [7])
    }

    @Test("P7 F25: an endless body is stopped at the limit") func endless() async throws {
        origin.route("/a", .endless())
        let error = try #require(await failure("/a", limits: .patient(maxBodyBytes: 1 << 20)))
        #expect(error.code == .bodyTooLarge)
        await origin.waitUntil { $0.abandoned == 1 }
    }

    @Test("P7: an announced length over the limit is refused before any body byte") func refusedAtTheHead() async throws
    {
        origin.route("/a", .file([UInt8](repeating: 1, count: 2_000)))
        let error = try #require(await failure("/a", limits: .patient(maxBodyBytes: 1_999)))
        #expect(error.code == .bodyTooLarge && error.statusCode == 200)
        #expect(try await get("/a", limits: .patient(maxBodyBytes: 2_000)).body.count == 2_000)
    }

    @Test(
        "F23: silence, slow heads and stalled bodies time out",
        arguments: [
            OriginResponse.silence, .stalled(after: [1, 2, 3], declaring: 10),
            OriginResponse(framing: .raw, body: [.bytes(Array("HTTP/1.1 200 OK\r\nA: b\r\n".utf8)), .stall]),
        ]) func timeouts(_ response: OriginResponse) async throws
    {
        origin.route("/a", response)
        let error = try #require(await failure("/a", limits: FetchLimits(timeout: .milliseconds(150))))
        #expect(error.code == .timeout && error.isRetryable)
        await origin.waitUntil { $0.openConnections == 0 }
    }

    @Test("The total limit ends a body that makes progress for ever") func totalTimeout() async throws {
        origin.route("/a", .endless())
        let limits = FetchLimits(maxBodyBytes: .max, totalTimeout: .milliseconds(150))
        let error = try #require(await failure("/a", limits: limits))
        #expect(error.code == .timeout)
    }

    @Test("A slow reader holds the sender back and does not time out") func backPressure() async throws {
        let limits = FetchLimits(timeout: .milliseconds(200))
        origin.route("/big", .file([UInt8](repeating: 9, count: 64 << 20)))
        origin.route("/late", .stalled(after: [1], declaring: 2))
        let response = try await transport.open(FetchRequest(url: origin.url("/big")), limits: limits)
        // Lasts as long as the timeout, on the same thread, while nobody reads the big body.
        #expect(await failure("/late", limits: limits)?.code == .timeout)
        var count = 0
        while let piece = try await response.body.next() {
            #expect(piece.count <= 1 << 20)
            count += piece.count
        }
        #expect(count == 64 << 20)
    }

    @Test("P6: cancelling closes the connection, before the head and in the body") func cancelling() async throws {
        let gate = Gate()
        origin.route("/head", OriginResponse.file([1]).held(by: gate))
        origin.route("/body", .stalled(after: [1], declaring: 2))
        for path in ["/head", "/body"] {
            let before = origin.record.abandoned
            let task = Task { try await get(path).body }
            await origin.waitUntil { $0.paths.last == path }
            task.cancel()
            let result = await task.result
            #expect(throws: FetchError.self) { try result.get() }
            await origin.waitUntil { $0.abandoned == before + 1 && $0.openConnections == 0 }
        }
        // Cancelled before it starts: nothing is sent.
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await get("/head").body
        }
        let unsent = await task.result
        #expect(throws: FetchError.self) { try unsent.get() }
        #expect(origin.record.requests.count == 2)
    }

    @Test("Dropping a body closes its connection") func droppedBody() async throws {
        origin.route("/a", .endless())
        _ = try await transport.open(FetchRequest(url: origin.url("/a")), limits: .patient())
        await origin.waitUntil { $0.abandoned == 1 && $0.openConnections == 0 }
    }

    @Test("F29: a kept connection that was reset meanwhile is replaced without an error") func staleConnection()
        async throws
    {
        origin.route("/a", OriginResponse(body: [.bytes([5]), .resetNext]))
        #expect(try await get("/a").body == [5])
        #expect(try await get("/a").body == [5])
        #expect(origin.record.connections == 2)
    }

    @Test("F22: refused, unresolvable and insecure peers have codes of their own") func unreachable() async throws {
        func code(_ url: URL) async -> FetchError.Code? {
            do {
                _ = try await transport.open(FetchRequest(url: url), limits: .patient())
                return nil
            } catch {
                return (error as? FetchError)?.code
            }
        }
        #expect(await code(try OriginServer.refusingURL()) == .connectionFailed)
        #expect(await code(try #require(URL(string: "http://nowhere.invalid/"))) == .dns)
        #expect(await code(try #require(URL(string: "https://127.0.0.1:\(origin.port)/"))) == .tls)
    }

    @Test("F32: a line break in a field is refused and nothing is sent") func injection() async throws {
        origin.route("/a", .file([1]))
        for headers: HTTPHeaders in [
            ["X": "a\r\nCookie: b"], ["X\r\nY": "a"], ["X": "a\u{0}b"], ["": "a"], ["X y": "a"],
        ] {
            let error = await #expect(throws: FetchError.self) { try await get("/a", headers: headers) }
            #expect(error?.code == .invalidHeader)
        }
        #expect(origin.record.connections == 0)
    }

    @Test("An address that libcurl cannot take is an invalid one, not a lack of memory") func hugeAddress() async throws
    {
        // libcurl takes no text of more than 8,000,000 bytes.
        let error = try #require(await failure("/" + String(repeating: "a", count: 8_000_001)))
        #expect(error.code == .invalidURL && !error.isRetryable)
        #expect(origin.record.connections == 0)
    }

    @Test("Interim responses and trailers do not disturb the head") func interim() async throws {
        origin.route(
            "/a",
            .raw(
                "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: 1\r\n\r\n"
                    + "3\r\nabc\r\n0\r\nA: 2\r\n\r\n"))
        let (head, body) = try await get("/a")
        #expect(head.status == 200 && head.headers["link"] == nil && head.headers["a"] == "1")
        #expect(body == Array("abc".utf8))
    }

    @Test("When the transport goes, its transfers end and its connections close") func transportEnds() async throws {
        origin.route("/a", .stalled(after: [1], declaring: 2))
        var transport: CurlTransport? = CurlTransport(configuration: .init(proxy: .none))
        let response = try await #require(transport).open(FetchRequest(url: origin.url("/a")), limits: .patient())
        #expect(try await response.body.next()?.array == [1])
        transport = nil
        let error = await #expect(throws: FetchError.self) { try await response.body.next() }
        #expect(error?.code == .cancelled)
        await origin.waitUntil { $0.openConnections == 0 }
    }
}
