#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Puts the lines that libcurl hands over together to a head. A value; knows nothing of libcurl.
struct HeadParser: Sendable {
    private let url: URL
    private let limits: FetchLimits
    private var byteCount = 0
    private var version: String?
    private var status: Int?
    private var headers = HTTPHeaders()
    private var isComplete = false

    init(url: URL, limits: FetchLimits) {
        self.url = url
        self.limits = limits
    }

    /// Takes one line with its line end. Interim responses (RFC 9110 §15.2) are passed over; trailers count towards
    /// the limit and are dropped.
    ///
    /// - Returns: the head with its last, empty line, otherwise nil.
    mutating func append(_ line: UnsafeRawBufferPointer) throws(FetchError) -> ResponseHead? {
        byteCount += line.count
        guard byteCount <= limits.maxHeaderBytes else {
            throw FetchError(
                .headerTooLarge, "The response's head goes on after \(limits.maxHeaderBytes) bytes, the most allowed.")
        }
        guard !isComplete else { return nil }
        let content = Self.content(of: line)
        if content.isEmpty { return try finish() }
        if content.starts(with: "HTTP/".utf8) {
            headers = HTTPHeaders()
            let words = content.dropFirst(5).split(separator: UInt8(ascii: " "))
            version = words.first.map { String(decoding: $0, as: UTF8.self) }
            status = words.dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        } else {
            guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else {
                throw FetchError(.protocolError, "A line of the response's head has no colon.")
            }
            headers.append(
                String(decoding: content[..<colon], as: UTF8.self),
                String(decoding: content[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self))
        }
        return nil
    }

    /// The line without its end. Bytes, not characters: those would look for what belongs together in any language.
    private static func content(of line: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        line.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    }

    private mutating func finish() throws(FetchError) -> ResponseHead? {
        guard let status, (100...599).contains(status) else {
            throw FetchError(.protocolError, "The response has no valid status.")
        }
        if status < 200 { return nil }
        isComplete = true
        let length = try headers.contentLength(status: status)
        let head = ResponseHead(
            status: status, headers: headers, expectedByteCount: length, finalURL: url, httpVersion: version)
        if let length, length > limits.maxBodyBytes {
            throw .bodyTooLarge(limit: limits.maxBodyBytes, announced: length, head: head)
        }
        return head
    }
}
