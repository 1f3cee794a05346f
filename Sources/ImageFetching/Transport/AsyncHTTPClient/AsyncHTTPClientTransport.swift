#if AsyncHTTPClient
import AsyncHTTPClient
import ByteBuffers
import NIOCore
import NIOSSL
import SystemThreads

/// Fetches `http:` and `https:` through async-http-client, for programs that run on SwiftNIO anyway. It is there when the
/// package's trait `AsyncHTTPClient` is on, and it is held to the same tests as ``CurlTransport``.
///
/// ```swift
/// let fetcher = Fetcher(transports: [AsyncHTTPClientTransport(), FileTransport(), DataURLTransport()])
/// ```
///
/// Connections are kept and used again; HTTP/2 is spoken where a server offers it over TLS; certificates are always
/// checked. Redirects are not followed, nothing is unpacked, no cookies are kept, and a user name and password in an
/// address are sent as Basic credentials. It works on SwiftNIO's shared threads and has a client of its own, which is
/// shut down with this object: transfers that still run end with `cancelled`.
///
/// What it does not do:
/// - There is no check of addresses: the client does not show what a name was resolved to before it connects. Where a
///   request may not reach inner networks, use ``CurlTransport``, which asks ``CurlTransport/Configuration/addresses``.
/// - There is no proxy, whatever the environment says.
/// - A kept connection that the server resets just as the next request goes out is not replaced: that request ends with
///   `connectionLost`, which is retryable.
/// - A head of more than 256 fields is refused whatever ``FetchLimits/maxHeaderBytes`` allows, and so is one field of
///   more than 80 KiB. Trailers are dropped uncounted.
public final class AsyncHTTPClientTransport: Transport {
    /// How connections are made.
    public struct Configuration: Sendable {
        /// The most HTTP/1.1 connections to one host; further requests wait for one of them. Default 64.
        public var connectionsPerHost: Int
        /// How long an idle connection is kept. Default 60 s.
        public var idleTimeout: Duration
        /// A PEM file of certificates to trust instead of the system's. Default nil. If it cannot be read, every
        /// connection over TLS fails with `tls`.
        public var certificateFile: String?

        public init(
            connectionsPerHost: Int = 64, idleTimeout: Duration = .seconds(60), certificateFile: String? = nil
        ) {
            self.connectionsPerHost = connectionsPerHost
            self.idleTimeout = idleTimeout
            self.certificateFile = certificateFile
        }
    }

    public let schemes: Set<String> = ["http", "https"]

    private let client: HTTPClient

    /// Opens nothing yet.
    public init(configuration: Configuration = Configuration()) {
        client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(configuration))
    }

    deinit {
        // It only fails for a client that was shut down before.
        client.shutdown { _ in }
    }

    public func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        if let field = request.headers.firstInvalid {
            throw FetchError(.invalidHeader, "The header field \"\(field.name)\" has characters that may not be sent.")
        }
        let transfer = AsyncHTTPTransfer(request, limits: limits)
        // Whoever drops the body ends the transfer, also when the head never came.
        let body = AsyncHTTPBody(transfer)
        let head = try await transfer.head(through: client)
        return TransportResponse(head: head, body: body)
    }
}

/// The reader's end of a transfer.
final class AsyncHTTPBody: BodyStream {
    private let transfer: AsyncHTTPTransfer

    init(_ transfer: AsyncHTTPTransfer) { self.transfer = transfer }

    deinit { transfer.cancel() }

    func next() async throws -> Bytes? { try await transfer.next() }
    func cancel() { transfer.cancel() }
}

extension HTTPClient.Configuration {
    fileprivate init(_ configuration: AsyncHTTPClientTransport.Configuration) {
        var secure = TLSConfiguration.makeClientConfiguration()
        if let file = configuration.certificateFile { secure.trustRoots = .file(file) }
        self.init(tlsConfiguration: secure, redirectConfiguration: .disallow, decompression: .disabled)
        // The transfer has the true limit. This one ends an attempt to connect that no transfer waits for any more.
        timeout.connect = .seconds(60)
        connectionPool.idleTimeout = .nanoseconds(max(0, configuration.idleTimeout.clampedNanoseconds))
        connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, configuration.connectionsPerHost)
        // Who tries again, and when, is not for the transport to say.
        connectionPool.retryConnectionEstablishment = false
        // A request carries no field that its maker did not ask for, and tracing would add some.
        tracing.tracer = nil
    }
}
#endif
