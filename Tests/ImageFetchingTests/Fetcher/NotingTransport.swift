import ByteBuffers
import Foundation
import ImageFetching
import Synchronization

/// Answers every address of its schemes with one byte, and notes what it was asked.
final class NotingTransport: Transport {
    let schemes: Set<String>
    private let asked = Mutex<[(address: String, limits: FetchLimits)]>([])

    init(_ schemes: Set<String>) { self.schemes = schemes }

    var addresses: [String] { asked.withLock { $0.map(\.address) } }
    var limits: [FetchLimits] { asked.withLock { $0.map(\.limits) } }

    func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        asked.withLock { $0.append((request.url.absoluteString, limits)) }
        return TransportResponse(head: ResponseHead(status: 200, finalURL: request.url), body: OneByte())
    }

    private final class OneByte: BodyStream {
        private let isRead = Atomic(false)

        func next() async throws -> Bytes? { isRead.exchange(true, ordering: .relaxed) ? nil : Bytes([1]) }
        func cancel() { isRead.store(true, ordering: .relaxed) }
    }
}
