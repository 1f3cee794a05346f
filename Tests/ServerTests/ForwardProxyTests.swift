import Foundation
import ImageFetching
import ServerSupport
import Testing

/// A real proxy between us and a real server.
@Suite struct ForwardProxyTests {
    let server: NginxServer
    let proxy: ForwardProxy

    init() throws {
        server = try NginxServer()
        proxy = try ForwardProxy()
    }

    @Test("S066: a configured proxy is gone through, and a wrong one is an error")
    func configured() async throws {
        let data = try server.put("a.jpg", byteCount: 50_000)
        let through = CurlTransport(configuration: .init(proxy: .url(proxy.url)))
        let (head, body) = try await through.get(server.url("a.jpg"))
        #expect(body == data)
        #expect(head.headers["via"]?.contains("a-proxy-of-a-test") == true)
        let direct = try await CurlTransport(configuration: .init(proxy: .none)).get(server.url("a.jpg"))
        #expect(direct.head.headers["via"] == nil)

        let (address, refusing) = (server.url("a.jpg"), "http://127.0.0.1:1")
        let failure = try await CurlTransport(configuration: .init(proxy: .url(refusing))).failure(address)
        #expect(failure?.code == .connectionFailed)
    }

    @Test("TLS goes through a proxy as a tunnel")
    func tunnel() async throws {
        let authority = try CertificateAuthority()
        let secure = try NginxServer(certificates: authority)
        let data = try secure.put("a.jpg", byteCount: 50_000)
        let through = CurlTransport(
            configuration: .init(
                proxy: .url(proxy.url), trust: TLSTrust(additionalCertificateFiles: [authority.certificate.path])))
        let (head, body) = try await through.get(secure.url("a.jpg", .secure))
        #expect(body == data && head.status == 200 && head.headers["x-protocol"] == "HTTP/2.0")
        // The proxy's own answer is no part of the response.
        #expect(head.headers["via"] == nil && head.headers["proxy-agent"] == nil)
    }

    @Test("The environment's proxy is used, and no_proxy is respected", arguments: [false, true])
    func environment(isExempt: Bool) async throws {
        try server.put("a.txt", byteCount: 10)
        let refusing = "http://127.0.0.1:1"
        let command = try BuiltCommand()
        // A proxy that refuses shows who goes through it; one that works shows that the file is reached.
        let refused = try await command.run(
            ["info", server.url("a.txt"), "--json"],
            environment: ["http_proxy": refusing, "no_proxy": isExempt ? "127.0.0.1" : "example.com"])
        #expect(refused.output.contains("connectionFailed") == !isExempt, "\(refused.output)")
        #expect(try server.stop() == (isExempt ? ["/a.txt"] : []))
    }
}
