import ByteBuffers
import Foundation
import ImageFetching
import ServerSupport
import Testing

/// TLS and HTTP/2 with certificates of the test's own.
@Suite struct SecureServerTests {
    let authority: CertificateAuthority
    let server: NginxServer

    init() throws {
        authority = try CertificateAuthority()
        server = try NginxServer(certificates: authority)
    }

    private var trusting: CurlTransport {
        CurlTransport(
            configuration: .init(
                proxy: .none, trust: TLSTrust(additionalCertificateFiles: [authority.certificate.path])))
    }

    @Test("HTTP/2 is spoken over TLS with a server that is trusted")
    func http2() async throws {
        let data = try server.put("a.jpg", byteCount: 300_000)
        let (head, body) = try await trusting.get(server.url("a.jpg", .secure))
        #expect(body == data && head.status == 200 && head.expectedByteCount == data.count)
        #expect(head.headers["x-protocol"] == "HTTP/2.0")
    }

    @Test("F22 C175 W050: an authority nobody knows is refused, and so are a wrong name and an expired certificate")
    func refused() async throws {
        try server.put("a.jpg", byteCount: 10)
        let unknown = try await CurlTransport(configuration: .init(proxy: .none))
            .failure(server.url("a.jpg", .secure))
        #expect(unknown?.code == .tls && unknown?.isRetryable == false)
        let transport = trusting
        let wrongName = server.url("a.jpg", .secure).replacing("localhost", with: "127.0.0.1")
        for address in [wrongName, server.url("a.jpg", .expired)] {
            let error = try await transport.failure(address)
            #expect(error?.code == .tls && error?.isRetryable == false, "\(address): \(String(describing: error))")
        }
        // The same transport still loads from who is to be trusted; nothing was asked for in plain.
        #expect(try await transport.get(server.url("a.jpg", .secure)).body.count == 10)
        #expect(try server.stop() == ["/a.jpg"])
    }

    @Test("200 files over HTTP/2, six at a time, share one connection")
    func multiplexing() async throws {
        let files = try (0..<200).map { try server.put("\($0).jpg", byteCount: 2_000 + $0, number: $0) }
        let fetcher = Fetcher(configuration: .init(maxConcurrentDownloads: 6), transports: [trusting])
        let results = try await withThrowingTaskGroup(of: (Int, FetchedResource).self) { group in
            for index in files.indices {
                let url = try #require(URL(string: server.url("\(index).jpg", .secure)))
                group.addTask { (index, try await fetcher.fetch(FetchRequest(url: url))) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(results.count == 200)
        for (index, resource) in results { #expect(Data(resource.bytes.array) == files[index]) }
        #expect(Set(results.values.map { $0.head.headers["x-protocol"] }) == ["HTTP/2.0"])
        #expect(Set(results.values.map { $0.head.headers["x-connection"] }).count == 1)
    }

    #if AsyncHTTPClient
    @Test("async-http-client speaks HTTP/2 with whom it trusts and refuses the rest")
    func asyncHTTPClient() async throws {
        let data = try server.put("a.jpg", byteCount: 300_000)
        let transport = AsyncHTTPClientTransport(
            configuration: .init(certificateFile: authority.certificate.path))
        let (head, body) = try await transport.get(server.url("a.jpg", .secure))
        #expect(body == data && head.headers["x-protocol"] == "HTTP/2.0")
        let wrongName = server.url("a.jpg", .secure).replacing("localhost", with: "127.0.0.1")
        for address in [wrongName, server.url("a.jpg", .expired)] {
            #expect(try await transport.failure(address)?.code == .tls)
        }
        #expect(try await AsyncHTTPClientTransport().failure(server.url("a.jpg", .secure))?.code == .tls)
    }
    #endif
}
