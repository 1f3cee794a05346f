import Synchronization
import WebImage

/// Answers with a body that comes piece by piece, as a test sends it.
final class TrickleTransport: Transport {
    let schemes: Set<String> = ["https"]
    private let total: Int
    private let source: AsyncStream<[UInt8]>
    private let pieces: AsyncStream<[UInt8]>.Continuation

    /// - Parameter total: what the head says of the body's length.
    init(total: Int) {
        self.total = total
        (source, pieces) = AsyncStream.makeStream()
    }

    func send(_ piece: some Sequence<UInt8>) { pieces.yield(Array(piece)) }

    func finish() { pieces.finish() }

    func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
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
