import Foundation
import Synchronization
import WebImage

/// Never answers. A transfer ends when it is cancelled.
struct HeldTransport: Transport {
    let schemes: Set<String> = ["http"]

    func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        try await Task.sleep(for: .seconds(3_600))
        throw CancellationError()
    }
}

/// Answers every request with the same picture, and counts the requests.
final class CountingTransport: Transport {
    let schemes: Set<String> = ["http"]
    private let body: Bytes
    private let requests = Atomic(0)

    init(_ body: Bytes) {
        self.body = body
    }

    var requestCount: Int { requests.load(ordering: .relaxed) }

    func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        requests.add(1, ordering: .relaxed)
        let head = ResponseHead(
            status: 200, expectedByteCount: body.count, mediaType: "image/jpeg", finalURL: request.url)
        return TransportResponse(head: head, body: OnePiece(body))
    }

    private final class OnePiece: BodyStream {
        private let piece: Mutex<Bytes?>

        init(_ bytes: Bytes) {
            piece = Mutex(bytes)
        }

        func next() async throws -> Bytes? {
            piece.withLock { piece in
                defer { piece = nil }
                return piece
            }
        }

        func cancel() {
            piece.withLock { $0 = nil }
        }
    }
}

/// Decodes JPEG as the package does, and counts.
final class CountingDecoder: ImageDecoder {
    private let decoder = JPEGDecoder()
    private let decodes = Atomic(0)

    var decodeCount: Int { decodes.load(ordering: .relaxed) }
    var library: CodecLibrary { decoder.library }
    var decodableFormats: [ImageFormat] { decoder.decodableFormats }

    func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        try decoder.info(of: bytes)
    }

    func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        decodes.add(1, ordering: .relaxed)
        try decoder.decode(bytes, options: options, into: sink)
    }
}
