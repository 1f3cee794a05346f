import ByteBuffers
import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import ImageFetching

/// The policy for addresses over libcurl: what it is asked, and that nothing is sent against it.
@Suite struct AddressCheckTests {
    let origin: OriginServer

    init() throws { origin = try OriginServer() }

    private func transport(_ policy: AddressPolicy, proxy: CurlTransport.Configuration.Proxy = .none) -> CurlTransport {
        CurlTransport(configuration: .init(proxy: proxy, addresses: policy))
    }

    private func code(_ transport: CurlTransport, _ url: URL) async -> FetchError.Code? {
        do {
            let response = try await transport.open(FetchRequest(url: url), limits: .patient())
            while try await response.body.next() != nil {}
            return nil
        } catch {
            return (error as? FetchError)?.code
        }
    }

    @Test(
        "F28: whatever way this machine is written, it is refused before a connection",
        arguments: [
            "127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0x7f000001", "0177.0.0.1", "0", "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]", "[::1]", "[::]", "localhost", "LOCALHOST", "a.localhost",
        ]) func hosts(_ host: String) async throws
    {
        origin.route("/", .file([1]))
        let url = try #require(URL(string: "http://\(host):\(origin.port)/"))
        #expect(await code(transport(.publicOnly), url) == .forbiddenAddress)
        #expect(origin.record.connections == 0)
    }

    @Test("F28: a dot behind the name is no way around the policy") func trailingDot() async throws {
        origin.route("/", .file([1]))
        let url = try #require(URL(string: "http://localhost.:\(origin.port)/"))
        // Not every resolver knows this form.
        let code = try #require(await code(transport(.publicOnly), url))
        #expect(code == .forbiddenAddress || code == .dns)
        #expect(origin.record.connections == 0)
    }

    @Test("The policy sees the address and the port, and the message names them") func seen() async throws {
        let seen = Seen()
        let guarded = transport(
            .custom {
                seen.add($0); return false
            })
        let error = await #expect(throws: FetchError.self) {
            _ = try await guarded.open(FetchRequest(url: origin.url("/?key=secret")), limits: .patient())
        }
        #expect(error?.code == .forbiddenAddress)
        #expect(
            error?.message
                == "http://127.0.0.1:\(origin.port)/?… leads to 127.0.0.1:\(origin.port), which is forbidden.")
        #expect(error?.isRetryable == false)
        #expect(seen.addresses == [PeerAddress(bytes: [127, 0, 0, 1], port: origin.port)])
        #expect(origin.record.connections == 0)
    }

    @Test("F27 F28: the second hop of a redirect is judged like the first") func redirect() async throws {
        let inner = try OriginServer()
        let port = origin.port
        inner.route("/secret", .file([1]))
        origin.route("/a", .redirect(to: inner.url("/secret").absoluteString))
        let fetcher = Fetcher(
            configuration: .init(limits: .patient()), transports: [transport(.custom { $0.port == port })])
        let error = await #expect(throws: FetchError.self) {
            try await fetcher.fetch(FetchRequest(url: origin.url("/a")))
        }
        #expect(error?.code == .forbiddenAddress)
        #expect(origin.record.paths == ["/a"] && inner.record.connections == 0)
    }

    @Test("F28: a kept connection is no way around the policy") func keptConnection() async throws {
        origin.route("/a", .file([1]))
        let gate = Switch(isOpen: true)
        let guarded = transport(.custom { _ in gate.isOpen })
        #expect(await code(guarded, origin.url("/a")) == nil)
        #expect(await code(guarded, origin.url("/a")) == nil)
        #expect(origin.record.connections == 1)
        gate.isOpen = false
        #expect(await code(guarded, origin.url("/a")) == .forbiddenAddress)
        #expect(origin.record.requests.count == 2)
    }

    @Test("F28: of a host with several addresses only an allowed one is connected to") func mixedAnswers() async throws
    {
        origin.route("/a", .file([1]))
        let url = try #require(URL(string: "http://localhost:\(origin.port)/a"))
        #expect(await code(transport(.custom { $0.bytes.count == 4 }), url) == nil)
        #expect(await code(transport(.custom { $0.bytes.count == 16 }), url) != nil)
        #expect(origin.record.requests.count == 1)
    }

    @Test("F28: a proxy cannot hide an address from the policy") func proxies() async throws {
        origin.route("/a", .file([1]))
        let behind = transport(.publicOnly, proxy: .url("http://127.0.0.1:\(origin.port)"))
        #expect(await code(behind, try #require(URL(string: "http://example.com/"))) == .forbiddenAddress)
        #expect(origin.record.connections == 0)
    }

    @Test("F28: with a policy the environment's proxy is not asked") func environment() {
        typealias Configuration = CurlTransport.Configuration
        // What libcurl is told: nil leaves it to the environment, an empty text means none.
        #expect(Configuration().effectiveProxy == nil)
        #expect(Configuration(addresses: .publicOnly).effectiveProxy == "")
        #expect(Configuration(addresses: .custom { _ in true }).effectiveProxy == "")
        #expect(Configuration(proxy: .none).effectiveProxy == "")
        #expect(Configuration(proxy: .url("http://p:1")).effectiveProxy == "http://p:1")
    }
}

/// The addresses that a transport asked about.
private final class Seen: Sendable {
    private let list = Mutex<[PeerAddress]>([])
    var addresses: [PeerAddress] { list.withLock { $0 } }
    func add(_ address: PeerAddress) { list.withLock { $0.append(address) } }
}

private final class Switch: Sendable {
    private let state: Mutex<Bool>
    init(isOpen: Bool) { state = Mutex(isOpen) }
    var isOpen: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
