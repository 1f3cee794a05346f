import ByteBuffers

/// Fetches `http:` and `https:` through libcurl's multi interface, on one thread of its own.
///
/// Connections are kept and used again; HTTP/2 is spoken where a server offers it over TLS; certificates are
/// checked unless ``TLSTrust`` names an exception. Redirects are not followed, nothing is unpacked, no cookies are kept. The thread ends with this object,
/// and transfers that still run end with `cancelled`.
public final class CurlTransport: Transport {
    /// How connections are made.
    public struct Configuration: Sendable {
        /// Which proxy a connection goes through.
        public enum Proxy: Sendable, Hashable {
            /// What the environment says (`http_proxy`, `https_proxy`, `no_proxy`), as with most tools.
            case environment
            /// None, whatever the environment says.
            case none
            /// This one: `http://host:port`, `socks5h://host:port`.
            case url(String)
        }

        /// Default ``Proxy/environment``.
        public var proxy: Proxy
        /// The most idle connections that are kept for later. Default 32.
        public var idleConnections: Int
        /// Whom secure connections trust. Default: the system's certificates, and every server is checked.
        public var trust: TLSTrust
        /// Which machines may be connected to. Default ``AddressPolicy/any``.
        ///
        /// Behind a proxy only the proxy's address is seen, so any other policy turns ``Proxy/environment`` into
        /// ``Proxy/none``, and with ``Proxy/url(_:)`` every fetch throws `forbiddenAddress`: the two contradict each
        /// other, and neither is given up silently.
        public var addresses: AddressPolicy

        public init(
            proxy: Proxy = .environment, idleConnections: Int = 32, trust: TLSTrust = TLSTrust(),
            addresses: AddressPolicy = .any
        ) {
            self.proxy = proxy
            self.idleConnections = idleConnections
            self.trust = trust
            self.addresses = addresses
        }

        /// What libcurl is told: nil leaves it to the environment, an empty text forbids proxies.
        var effectiveProxy: String? {
            switch proxy {
            case .environment: addresses.allowsEverything ? nil : ""
            case .none: ""
            case .url(let address): address
            }
        }

        /// Whether a policy would be asked about a proxy's address instead of the server's.
        var hidesAddresses: Bool {
            if case .url = proxy { !addresses.allowsEverything } else { false }
        }
    }

    public let schemes: Set<String> = ["http", "https"]

    private let configuration: Configuration
    private let loop: CurlLoop

    /// Starts no thread yet: that happens with the first transfer.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        loop = CurlLoop(idleConnections: configuration.idleConnections, trust: configuration.trust)
    }

    deinit { loop.stop() }

    public func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        if let field = request.headers.firstInvalid {
            throw FetchError(.invalidHeader, "The header field \"\(field.name)\" has characters that may not be sent.")
        }
        guard !configuration.hidesAddresses else {
            throw FetchError(.forbiddenAddress, "The policy for addresses cannot see the servers behind a proxy.")
        }
        let transfer = CurlTransfer(request, limits: limits, configuration: configuration, loop: loop)
        // Whoever drops the body ends the transfer, also when the head never came.
        let body = CurlBody(transfer)
        let head = try await transfer.head()
        return TransportResponse(head: head, body: body)
    }
}

/// The reader's end of a transfer.
final class CurlBody: BodyStream {
    private let transfer: CurlTransfer

    init(_ transfer: CurlTransfer) { self.transfer = transfer }

    deinit { transfer.cancel() }

    func next() async throws -> Bytes? { try await transfer.next() }
    func cancel() { transfer.cancel() }
}
