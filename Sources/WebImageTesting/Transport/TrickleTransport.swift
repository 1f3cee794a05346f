public import WebImage

/// Answers one request with a body that comes piece by piece, as a test sends it: for pictures that are shown while their
/// bytes come.
///
/// ```swift
/// let transport = TrickleTransport(total: bytes.count)
/// transport.send(bytes.prefix(1_000))
/// transport.send(bytes.dropFirst(1_000))
/// transport.finish()
/// ```
public final class TrickleTransport: Transport {
    public let schemes: Set<String> = ["https"]
    private let total: Int
    private let source: AsyncStream<[UInt8]>
    private let pieces: AsyncStream<[UInt8]>.Continuation

    /// - Parameter total: what the head says of the body's length.
    public init(total: Int) {
        self.total = total
        (source, pieces) = AsyncStream.makeStream()
    }

    /// Sends the next piece of the body, now or when somebody asks for it.
    public func send(_ piece: some Sequence<UInt8>) { pieces.yield(Array(piece)) }

    /// Ends the body.
    public func finish() { pieces.finish() }

    public func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        var headers = HTTPHeaders()
        headers.append("Cache-Control", "max-age=600")
        let head = ResponseHead(status: 200, headers: headers, expectedByteCount: total, finalURL: request.url)
        return TransportResponse(head: head, body: Body(source: source))
    }

    private final class Body: BodyStream {
        private let source: AsyncStream<[UInt8]>

        init(source: AsyncStream<[UInt8]>) { self.source = source }

        func next() async throws -> Bytes? {
            for await piece in source { return Bytes(piece) }
            return nil
        }

        func cancel() {}
    }
}
