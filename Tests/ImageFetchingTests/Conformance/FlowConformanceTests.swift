import ByteBuffers
import ImageFetching
import Testing
import WebImageTesting

/// Time, cancelling, and who waits for whom.
@Suite struct FlowConformanceTests {
    @Test("Connections are kept for the next request", arguments: TransportSubject.all)
    func reuse(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .file([1, 2, 3]))
        for _ in 0..<20 { #expect(try await trial.get("/a").body == [1, 2, 3]) }
        #expect(trial.origin.record.connections == 1)
        #expect(trial.origin.record.requests.count == 20)
    }

    @Test(
        "F23 S057: silence, slow heads and stalled bodies time out", arguments: TransportSubject.all,
        [
            OriginResponse.silence, .stalled(after: [1, 2, 3], declaring: 10),
            OriginResponse(framing: .raw, body: [.bytes(Array("HTTP/1.1 200 OK\r\nA: b\r\n".utf8)), .stall]),
        ])
    func timeouts(_ subject: TransportSubject, _ response: OriginResponse) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", response)
        let error = try #require(await trial.failure("/a", limits: FetchLimits(timeout: .milliseconds(150))))
        #expect(error.code == .timeout && error.isRetryable)
        await trial.origin.waitUntil { $0.openConnections == 0 }
    }

    @Test("F23: the total limit ends a body that makes progress for ever", arguments: TransportSubject.all)
    func totalTimeout(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .endless())
        let limits = FetchLimits(maxBodyBytes: .max, timeout: .seconds(3_600), totalTimeout: .milliseconds(150))
        #expect(await trial.failure("/a", limits: limits)?.code == .timeout)
        await trial.origin.waitUntil { $0.openConnections == 0 }
    }

    @Test("A reader that does not ask holds the sender back, and does not time out", arguments: TransportSubject.all)
    func backPressure(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        // Long enough for a head to come on a busy machine.
        let limits = FetchLimits(timeout: .seconds(2))
        let piece = [UInt8](repeating: 9, count: 64 << 10)
        trial.origin.route(
            "/big", OriginResponse(framing: .chunked, body: Array(repeating: .bytes(piece), count: 1_024)))
        trial.origin.route("/late", .stalled(after: [1], declaring: 2))
        let response = try await trial.open("/big", limits: limits)
        // Lasts as long as the timeout, while nobody reads the big body.
        #expect(await trial.failure("/late", limits: limits)?.code == .timeout)
        // What the system keeps for two sockets is a few MB, and the transport keeps less than one.
        #expect(trial.origin.record.bytesSent < 32 << 20)
        var count = 0
        while let piece = try await response.body.next() {
            #expect(piece.count <= 1 << 20)
            count += piece.count
        }
        #expect(count == 64 << 20)
    }

    @Test("P6: cancelling closes the connection, before the head and in the body", arguments: TransportSubject.all)
    func cancelling(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/head", OriginResponse.file([1]).held(by: Gate()))
        trial.origin.route("/body", .stalled(after: [1], declaring: 2))
        for path in ["/head", "/body"] {
            let before = trial.origin.record.abandoned
            let task = Task { try await trial.get(path).body }
            await trial.origin.waitUntil { $0.paths.last == path }
            task.cancel()
            let result = await task.result
            let error = #expect(throws: FetchError.self) { try result.get() }
            #expect(error?.code == .cancelled)
            await trial.origin.waitUntil { $0.abandoned == before + 1 && $0.openConnections == 0 }
        }
        // Cancelled before it starts: nothing is sent.
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await trial.get("/head").body
        }
        let unsent = await task.result
        let error = #expect(throws: FetchError.self) { try unsent.get() }
        #expect(error?.code == .cancelled)
        #expect(trial.origin.record.requests.count == 2)
    }

    @Test(
        "C155: cancelling a body ends the one who waits for it, and may be done twice", arguments: TransportSubject.all)
    func cancelledBody(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .stalled(after: [1], declaring: 2))
        let body = try await trial.open("/a").body
        #expect(try await body.next()?.array == [1])
        body.cancel()
        body.cancel()
        let error = await #expect(throws: FetchError.self) { try await body.next() }
        #expect(error?.code == .cancelled)
        await trial.origin.waitUntil { $0.abandoned == 1 && $0.openConnections == 0 }
    }

    @Test("Dropping a body closes its connection", arguments: TransportSubject.all)
    func droppedBody(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .endless())
        _ = try await trial.open("/a")
        await trial.origin.waitUntil { $0.abandoned == 1 && $0.openConnections == 0 }
    }

    @Test("When the transport goes, its transfers end and its connections close", arguments: TransportSubject.all)
    func transportEnds(_ subject: TransportSubject) async throws {
        let origin = try OriginServer()
        origin.route("/a", .stalled(after: [1], declaring: 2))
        var transport: (any Transport)? = subject.make()
        let response = try await #require(transport).open(FetchRequest(url: origin.url("/a")), limits: .patient())
        #expect(try await response.body.next()?.array == [1])
        transport = nil
        let error = await #expect(throws: FetchError.self) { try await response.body.next() }
        #expect(error?.code == .cancelled)
        await origin.waitUntil { $0.openConnections == 0 }
    }
}
