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
        _ path: String, headers: HTTPHeaders = HTTPHeaders(), limits: FetchLimits = FetchLimits()
    ) async throws -> (head: ResponseHead, body: [UInt8]) {
        let request = FetchRequest(url: origin.url(path), headers: headers)
        let response = try await transport.open(request, limits: limits)
        var body: [UInt8] = []
        while let piece = try await response.body.next() { body += piece.array }
        return (response.head, body)
    }

    private func failure(_ path: String, limits: FetchLimits = FetchLimits()) async -> FetchError? {
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
        #expect(head.status == 200)
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
}
