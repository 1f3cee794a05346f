import ByteBuffers
import Foundation
import ImageFetching
import ServerSupport
import Testing

/// Limits whose time is never up, as a busy machine may make a test wait.
let patient = FetchLimits(timeout: .seconds(3_600))

extension Transport {
    /// The head and the whole body of an address.
    func get(_ address: String, headers: HTTPHeaders = HTTPHeaders()) async throws -> (head: ResponseHead, body: Data) {
        let url = try #require(URL(string: address))
        let response = try await open(FetchRequest(url: url, headers: headers), limits: patient)
        var body = Data()
        while let piece = try await response.body.next() { body += piece.array }
        return (response.head, body)
    }

    /// How a fetch ends that must not succeed; nil if it does.
    func failure(_ address: String) async throws -> FetchError? {
        do {
            _ = try await get(address)
            return nil
        } catch let error as FetchError {
            return error
        }
    }
}

extension NginxServer {
    /// Puts a file there that no two numbers have alike.
    @discardableResult
    func put(_ path: String, byteCount: Int, number: Int = 0) throws -> Data {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) &+ number) }
        let data = Data(bytes)
        try data.write(to: root.appending(path: path))
        return data
    }
}
