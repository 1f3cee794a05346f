import ByteBuffers
import ImageFetching
import Testing
import WebImageTesting

/// What the libcurl transport does beyond what every transport has to do; that is in Conformance.
@Suite struct CurlTransportTests {
    let origin: OriginServer

    init() throws { origin = try OriginServer() }

    @Test("F29: a kept connection that was reset meanwhile is replaced without an error") func staleConnection()
        async throws
    {
        let transport = CurlTransport(configuration: .init(proxy: .none))
        origin.route("/a", OriginResponse(body: [.bytes([5]), .resetNext]))
        for _ in 0..<2 {
            let response = try await transport.open(FetchRequest(url: origin.url("/a")), limits: .patient())
            #expect(try await response.body.next()?.array == [5])
            #expect(try await response.body.next() == nil)
        }
        #expect(origin.record.connections == 2)
    }

    @Test("An address that libcurl cannot take is an invalid one, not a lack of memory") func hugeAddress() async throws
    {
        // libcurl takes no text of more than 8,000,000 bytes.
        let transport = CurlTransport(configuration: .init(proxy: .none))
        let url = origin.url("/" + String(repeating: "a", count: 8_000_001))
        let error = await #expect(throws: FetchError.self) {
            _ = try await transport.open(FetchRequest(url: url), limits: .patient())
        }
        #expect(error?.code == .invalidURL && error?.isRetryable == false)
        #expect(origin.record.connections == 0)
    }

    @Test(
        "C157: a timeout of any length is one, also when a machine's numbers cannot hold it",
        arguments: [.seconds(Int64.max), .seconds(3_000_000_000), .seconds(86_400 * 365)] as [Duration])
    func longTimeouts(timeout: Duration) async throws {
        let transport = CurlTransport(configuration: .init(proxy: .none))
        origin.route("/a", OriginResponse(body: [.bytes([5])]))
        let limits = FetchLimits(timeout: timeout, totalTimeout: timeout)
        let response = try await transport.open(FetchRequest(url: origin.url("/a")), limits: limits)
        #expect(try await response.body.next()?.array == [5])
    }
}
