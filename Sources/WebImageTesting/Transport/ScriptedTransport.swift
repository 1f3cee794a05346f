import Synchronization
public import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transport for `http:` and `https:` that answers from memory, as a test told it to.
///
/// ```swift
/// let transport = ScriptedTransport()
/// transport.answer("https://example.org/cat.png", with: .body(png, mediaType: "image/png"))
/// let fetcher = Fetcher(transports: [transport])
/// ```
///
/// Use `OriginServer` where HTTP itself is what is tested.
public final class ScriptedTransport: Transport {
    /// What a URL answers.
    public enum Answer: Sendable {
        /// Status 200 and a body.
        case body([UInt8], mediaType: String)
        /// Another status, without a body.
        case status(Int)
        /// Any status, fields and body.
        case response(Int, headers: [(String, String)], body: [UInt8] = [])
        /// What a function says, which sees the request.
        case function(@Sendable (FetchRequest) -> Answer)
        /// No answer: the transfer fails.
        case failure(FetchError)
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var requests: [FetchRequest] = []
    }

    public let schemes: Set<String> = ["http", "https"]

    /// Requests pass it after they were counted and before they are answered. Open unless a test closes it.
    public let gate = AsyncGate(isOpen: true)

    /// Counts requests.
    public let arrivals = Tally()

    private let state = Mutex(State())

    public init() {}

    /// Sets the answer of a URL. URLs without an answer get status 404.
    public func answer(_ url: String, with answer: Answer) {
        state.withLock { $0.answers[url] = answer }
    }

    /// The requests so far, in order.
    public var requests: [FetchRequest] { state.withLock { $0.requests } }

    public func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        state.withLock { $0.requests.append(request) }
        arrivals.add()
        try await gate.pass()
        return try response(to: request, state.withLock { $0.answers[request.url.absoluteString] } ?? .status(404))
    }

    private func response(to request: FetchRequest, _ answer: Answer) throws -> TransportResponse {
        switch answer {
        case .body(let body, let mediaType):
            response(to: request, status: 200, fields: [("Content-Type", mediaType)], body: body)
        case .status(let status): response(to: request, status: status, fields: [], body: [])
        case .response(let status, let fields, let body):
            response(to: request, status: status, fields: fields, body: body)
        case .function(let function): try response(to: request, function(request))
        case .failure(let error): throw error
        }
    }

    private func response(
        to request: FetchRequest, status: Int, fields: [(String, String)], body: [UInt8]
    ) -> TransportResponse {
        var headers = HTTPHeaders()
        for (name, value) in fields { headers.append(name, value) }
        headers.append("Content-Length", String(body.count))
        let head = ResponseHead(
            status: status, headers: headers, expectedByteCount: body.count, finalURL: request.url)
        return TransportResponse(head: head, body: ScriptedBody(body))
    }
}

/// A body in pieces of 16 KiB.
private final class ScriptedBody: BodyStream {
    private let rest: Mutex<Bytes>

    init(_ body: [UInt8]) { rest = Mutex(Bytes(body)) }

    func next() async throws -> Bytes? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            let piece = rest[0..<16_384]
            rest = rest[piece.count..<rest.count]
            return piece
        }
    }

    func cancel() { rest.withLock { $0 = Bytes() } }
}
