import ByteBuffers
import Foundation
import ImageFetching
import Testing
import WebImageTesting

/// What goes out and what comes in when a server behaves.
@Suite struct MessageConformanceTests {
    @Test("S085 C185: a body arrives whole, with its head", arguments: TransportSubject.all)
    func getsAFile(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        trial.origin.route("/a.jpg", .file(bytes, type: "Image/JPEG; q=1"))
        let (head, body) = try await trial.get("/a.jpg?size=2")
        #expect(body == bytes)
        #expect(head.status == 200)
        #expect(head.expectedByteCount == bytes.count)
        #expect(head.mediaType == "image/jpeg")
        #expect(head.finalURL == trial.origin.url("/a.jpg?size=2"))
        #expect(trial.transport.schemes == ["http", "https"])
    }

    @Test("W050 S064: nothing is sent but what was asked for and the host", arguments: TransportSubject.all)
    func onlyOwnFields(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .file([1]))
        _ = try await trial.get("/a?b=1", headers: ["X-Empty": "", "X-One": "1"])
        let request = try #require(trial.origin.record.requests.first)
        #expect(request.method == "GET" && request.target == "/a?b=1")
        // libcurl says by itself that it takes anything, which is what no field means too (RFC 9110 §12.5.1).
        let names = Set(request.headers.map { $0.name.lowercased() }).subtracting(["accept"])
        #expect(names == ["host", "x-empty", "x-one"])
        #expect(request["host"] == "127.0.0.1:\(trial.origin.port)")
        #expect(request["x-empty"] == "" && request["x-one"] == "1")
    }

    @Test("Fields keep their order and their number, both ways", arguments: TransportSubject.all)
    func order(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        let fields = [("X-B", "1"), ("X-A", "2"), ("X-B", "3"), ("X-C", "a,b")]
        var response = OriginResponse.file([1])
        for (name, value) in fields { response = response.with(name, value) }
        trial.origin.route("/a", response)
        var headers = HTTPHeaders()
        for (name, value) in fields { headers.append(name, value) }
        let (head, _) = try await trial.get("/a", headers: headers)
        let sent = try #require(trial.origin.record.requests.first).headers.filter { $0.name.hasPrefix("X-") }
        #expect(sent.map(\.name) == fields.map(\.0) && sent.map(\.value) == fields.map(\.1))
        let received = head.headers.filter { $0.name.hasPrefix("X-") }
        #expect(received.map(\.name) == fields.map(\.0) && received.map(\.value) == fields.map(\.1))
    }

    @Test("A user name and password in the address are Basic credentials", arguments: TransportSubject.all)
    func userInfo(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .file([1]))
        let address = trial.origin.url("/a").absoluteString.replacing("://", with: "://Aladdin:open%20sesame@")
        let url = try #require(URL(string: address))
        _ = try await trial.transport.open(FetchRequest(url: url), limits: .patient())
        // RFC 7617 §2.
        #expect(trial.origin.record.requests.first?["authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    }

    @Test("P15: a redirect is handed over and not followed", arguments: TransportSubject.all)
    func redirects(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        for status in [301, 302, 303, 307, 308] {
            trial.origin.route("/a", .redirect(to: "/b", status: status))
            let (head, _) = try await trial.get("/a")
            #expect(head.status == status && head.headers["location"] == "/b")
        }
        #expect(Set(trial.origin.record.paths) == ["/a"])
    }

    @Test("P15: cookies are not kept", arguments: TransportSubject.all)
    func cookies(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", OriginResponse.file([1]).with("Set-Cookie", "a=b; Path=/"))
        _ = try await trial.get("/a")
        _ = try await trial.get("/a")
        #expect(trial.origin.record.requests.map { $0["cookie"] } == [nil, nil])
    }

    @Test("204 and 304 end without a body and leave the connection usable", arguments: TransportSubject.all)
    func withoutBody(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        for status in [204, 304] {
            trial.origin.route("/a", OriginResponse(status: status, headers: [("ETag", "\"1\"")]))
            let (head, body) = try await trial.get("/a")
            #expect(head.status == status && head.headers["etag"] == "\"1\"" && body.isEmpty)
        }
        // RFC 9110 §8.6: the length that a 304 speaks of is the stored response's.
        trial.origin.route("/b", OriginResponse(status: 304, framing: .declared("5000")))
        #expect(try await trial.get("/b").body.isEmpty)
        #expect(trial.origin.record.connections == 1)
    }

    @Test("A body of no bytes is a body", arguments: TransportSubject.all)
    func empty(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .file([]))
        let (head, body) = try await trial.get("/a")
        #expect(head.expectedByteCount == 0 && body.isEmpty)
    }

    @Test("The end of a body may be a chunk or the end of the connection", arguments: TransportSubject.all)
    func framings(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        for framing in [OriginResponse.Framing.chunked, .close] {
            trial.origin.route(
                "/a", OriginResponse(framing: framing, body: [.bytes([1, 2]), .bytes([3]), .bytes([4, 5, 6])]))
            let (head, body) = try await trial.get("/a")
            #expect(body == [1, 2, 3, 4, 5, 6] && head.expectedByteCount == nil)
        }
    }

    @Test("W025: pieces arrive as they come, and stay as they were", arguments: TransportSubject.all)
    func pieces(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        let gates = [Gate(), Gate()]
        trial.origin.route("/a", .drip([[1], [2, 2], [3, 3, 3]], gates: gates))
        let body = try await trial.open("/a").body
        var pieces = [try #require(try await body.next())]
        gates[0].open()
        pieces.append(try #require(try await body.next()))
        gates[1].open()
        pieces.append(try #require(try await body.next()))
        #expect(try await body.next() == nil)
        #expect(try await body.next() == nil)
        #expect(pieces.map(\.array) == [[1], [2, 2], [3, 3, 3]])
    }

    @Test("F26: what is packed for the way stays packed", arguments: TransportSubject.all)
    func packed(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        let packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 4, 0, 0x43, 0xBE, 0xB7, 0xE8, 1, 0, 0, 0]
        for encoding in ["gzip", "deflate", "br", "identity"] {
            trial.origin.route("/a", OriginResponse.file(packed).with("Content-Encoding", encoding))
            let (head, body) = try await trial.get("/a", headers: ["Accept-Encoding": "identity"])
            #expect(body == packed && head.headers["content-encoding"] == encoding)
        }
        #expect(trial.origin.record.requests.allSatisfy { $0["accept-encoding"] == "identity" })
    }

    @Test("F24: interim responses and trailers do not disturb the head", arguments: TransportSubject.all)
    func interim(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route(
            "/a",
            .raw(
                "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: 1\r\n\r\n"
                    + "3\r\nabc\r\n0\r\nA: 2\r\n\r\n"))
        let (head, body) = try await trial.get("/a")
        #expect(head.status == 200 && head.headers["link"] == nil && head.headers["a"] == "1")
        #expect(body == Array("abc".utf8))
    }

    @Test("F32: a field that may not be sent is refused, and nothing is sent", arguments: TransportSubject.all)
    func injection(_ subject: TransportSubject) async throws {
        let trial = try TransportTrial(subject)
        trial.origin.route("/a", .file([1]))
        for headers: HTTPHeaders in [
            ["X": "a\r\nCookie: b"], ["X\r\nY": "a"], ["X": "a\u{0}b"], ["": "a"], ["X y": "a"],
        ] {
            let error = await #expect(throws: FetchError.self) { try await trial.get("/a", headers: headers) }
            #expect(error?.code == .invalidHeader)
        }
        #expect(trial.origin.record.connections == 0)
    }
}
