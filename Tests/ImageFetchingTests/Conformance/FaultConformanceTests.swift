import Foundation
import ImageFetching
import Testing
import WebImageTesting

/// What comes of a server that misbehaves, or of none.
@Suite struct FaultConformanceTests {
    /// A misbehaviour and what may come of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let response: OriginResponse
        let codes: [FetchError.Code]
        var testDescription: String { name }

        init(_ name: String, _ response: OriginResponse, _ codes: FetchError.Code...) {
            (self.name, self.response, self.codes) = (name, response, codes)
        }
    }

    static let faults: [Fault] = [
        Fault("short body", .short([1, 2, 3], declaring: 10), .truncatedBody),
        Fault("reset in the body", .reset(after: [1, 2, 3], declaring: 10), .connectionLost),
        Fault("aborted chunks", .abortedChunks([1, 2, 3]), .truncatedBody),
        Fault("10 GB announced", .announcing("10000000000"), .bodyTooLarge),
        // Too much, or no number that a machine has: either is true.
        Fault("more digits than fit", .announcing("99999999999999999999999"), .bodyTooLarge, .protocolError),
        Fault("negative length", .announcing("-5"), .protocolError),
        Fault("length that is no number", .announcing("ten"), .protocolError),
        Fault("two lengths", .announcing("10").with("Content-Length", "11"), .protocolError),
        Fault(
            "length beside chunks",
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
            .protocolError),
        Fault(
            "chunk size that is no number",
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n"), .protocolError),
        Fault(
            "chunk size that overflows",
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\nabc\r\n"),
            .protocolError),
        Fault("one huge field", .headerBomb(count: 1, size: 80 << 10), .headerTooLarge),
        Fault("many fields", .headerBomb(count: 2_000, size: 40), .headerTooLarge),
        Fault("no HTTP at all", .raw("hello there\r\n\r\n"), .protocolError),
        Fault("no answer", OriginResponse(framing: .raw, body: [.close]), .connectionLost),
    ]

    @Test("P10 F24 F32: a misbehaving server ends in a typed error", arguments: TransportSubject.all, faults)
    func typedErrors(_ subject: TransportSubject, _ fault: Fault) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", fault.response)
        let error = try #require(await trial.failure("/a"))
        #expect(fault.codes.contains(error.code), "\(error.code.rawValue): \(error)")
        #expect(!error.message.isEmpty)
        // The next request is not disturbed.
        trial.origin.route("/b", .file([7]))
        #expect(try await trial.get("/b").body == [7])
    }

    @Test("After an error a body throws the same again", arguments: TransportSubject.all)
    func sameAgain(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .short([], declaring: 10))
        let body = try await trial.open("/a").body
        let first = await #expect(throws: FetchError.self) { try await body.next() }
        let second = await #expect(throws: FetchError.self) { try await body.next() }
        #expect(first?.code == .truncatedBody && first == second)
    }

    @Test("F25 P7: an endless body is stopped at the limit", arguments: TransportSubject.all)
    func endless(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .endless())
        let error = try #require(await trial.failure("/a", limits: .patient(maxBodyBytes: 1 << 20)))
        #expect(error.code == .bodyTooLarge)
        await trial.origin.waitUntil { $0.abandoned == 1 }
    }

    @Test("P7: an announced length over the limit is refused before any body byte", arguments: TransportSubject.all)
    func refusedAtTheHead(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .announcing("2000"))
        let error = try #require(await trial.failure("/a", limits: .patient(maxBodyBytes: 1_999)))
        #expect(error.code == .bodyTooLarge && error.statusCode == 200)
        await trial.origin.waitUntil { $0.openConnections == 0 }
        trial.origin.route("/b", .file([UInt8](repeating: 1, count: 2_000)))
        #expect(try await trial.get("/b", limits: .patient(maxBodyBytes: 2_000)).body.count == 2_000)
    }

    @Test("F32: a head may have as many bytes as the limit says", arguments: TransportSubject.all)
    func headLimit(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", OriginResponse.file([1]).with("X-Long", String(repeating: "x", count: 2_000)))
        #expect(
            try await trial.get("/a", limits: FetchLimits(maxHeaderBytes: 4_000, timeout: .seconds(3_600))).body == [1])
        let tight = FetchLimits(maxHeaderBytes: 2_000, timeout: .seconds(3_600))
        #expect(await trial.failure("/a", limits: tight)?.code == .headerTooLarge)
    }

    @Test("F21 F22: refused, unresolvable and insecure peers have codes of their own", arguments: TransportSubject.all)
    func unreachable(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        func error(_ url: URL) async -> FetchError? {
            do {
                _ = try await trial.transport.open(FetchRequest(url: url), limits: .patient())
                return nil
            } catch {
                return error as? FetchError
            }
        }
        let silent = try OriginServer.refusingURL()
        let refused = try #require(await error(silent))
        #expect(refused.code == .connectionFailed && refused.isRetryable)
        let nowhere = try #require(URL(string: "http://name.invalid/"))
        let unresolved = try #require(await error(nowhere))
        #expect(unresolved.code == .dns && unresolved.isRetryable)
        let plain = try #require(URL(string: "https://127.0.0.1:\(trial.origin.port)/"))
        let insecure = try #require(await error(plain))
        #expect(insecure.code == .tls && !insecure.isRetryable)
    }
}
