import ByteBuffers
import ImageFetching
import Testing
import WebImageTesting

/// A transport for HTTP that has to keep to the rules of ``Transport``. Every test of this folder runs for each of them.
struct TransportSubject: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> any Transport

    static let all: [TransportSubject] = {
        var all = [
            TransportSubject(testDescription: "libcurl") { CurlTransport(configuration: .init(proxy: .none)) }
        ]
        #if AsyncHTTPClient
        all.append(TransportSubject(testDescription: "async-http-client") { AsyncHTTPClientTransport() })
        #endif
        return all
    }()
}

/// A transport and an origin for it to talk to.
struct TransportTrial: Sendable {
    let origin: OriginServer
    let transport: any Transport

    init(_ subject: TransportSubject) throws {
        origin = try OriginServer()
        transport = subject.make()
    }

    /// The head, with the body still to be read.
    func open(
        _ path: String, headers: HTTPHeaders = HTTPHeaders(), limits: FetchLimits = .patient()
    ) async throws -> TransportResponse {
        try await transport.open(FetchRequest(url: origin.url(path), headers: headers), limits: limits)
    }

    /// The head and the whole body.
    func get(
        _ path: String, headers: HTTPHeaders = HTTPHeaders(), limits: FetchLimits = .patient()
    ) async throws -> (head: ResponseHead, body: [UInt8]) {
        let response = try await open(path, headers: headers, limits: limits)
        var body: [UInt8] = []
        while let piece = try await response.body.next() {
            #expect(!piece.isEmpty, "a piece is never empty")
            body += piece.array
        }
        return (response.head, body)
    }

    /// How a fetch ends that must not succeed.
    func failure(_ path: String, limits: FetchLimits = .patient()) async -> FetchError? {
        do {
            _ = try await get(path, limits: limits)
            return nil
        } catch {
            return error as? FetchError
        }
    }
}
