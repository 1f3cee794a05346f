import ByteBuffers

/// Fetches `http:` and `https:` through libcurl's multi interface, on one thread of its own.
///
/// Connections are kept and used again; HTTP/2 is spoken where a server offers it over TLS; certificates are always
/// checked. Redirects are not followed, nothing is unpacked, no cookies are kept. The thread ends with this object,
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

        /// Default ``Proxy/environment``. A check of addresses sees only the proxy's, so it goes with ``Proxy/none``.
        public var proxy: Proxy
        /// The most idle connections that are kept for later. Default 32.
        public var idleConnections: Int
        /// A PEM file of certificates to trust instead of the system's. Default nil.
        public var certificateFile: String?
        /// Asked with each address before a connection to it is made, on the transport's thread; must not block. It
        /// sees the address that is really connected to, so a name that resolves differently the second time does not
        /// get past it. Default nil: all are allowed.
        public var allowsAddress: (@Sendable (PeerAddress) -> Bool)?

        public init(
            proxy: Proxy = .environment, idleConnections: Int = 32, certificateFile: String? = nil,
            allowsAddress: (@Sendable (PeerAddress) -> Bool)? = nil
        ) {
            self.proxy = proxy
            self.idleConnections = idleConnections
            self.certificateFile = certificateFile
            self.allowsAddress = allowsAddress
        }
    }

    public let schemes: Set<String> = ["http", "https"]

    private let configuration: Configuration
    private let loop: CurlLoop

    /// Starts no thread yet: that happens with the first transfer.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        loop = CurlLoop(idleConnections: configuration.idleConnections)
    }

    deinit { loop.stop() }

    public func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        if let field = request.headers.firstInvalid {
            throw FetchError(.invalidHeader, "The header field \"\(field.name)\" has characters that may not be sent.")
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
