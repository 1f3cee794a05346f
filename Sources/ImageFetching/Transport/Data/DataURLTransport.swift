import ByteBuffers
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads `data:` URLs (RFC 2397).
public struct DataURLTransport: Transport {
    public let schemes: Set<String> = ["data"]

    public init() {}

    public func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        let (type, bytes) = try Self.parse(request.url.absoluteString, limit: limits.maxBodyBytes)
        let head = ResponseHead(expectedByteCount: bytes.count, mediaType: type, finalURL: request.url)
        return TransportResponse(head: head, body: BytesBody(bytes))
    }

    /// The media type, `text/plain;charset=US-ASCII` if none is named, and the bytes.
    static func parse(_ url: String, limit: Int) throws -> (mediaType: String, bytes: Bytes) {
        let text = Array(url.utf8)
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            let comma = text[colon...].firstIndex(of: UInt8(ascii: ","))
        else {
            throw FetchError(.invalidDataURL, "The data: URL has no comma before its data.")
        }
        // Four percent-escaped base64 digits make three bytes: nothing that could fit is refused here.
        guard (text.count - comma) / 4 <= limit else {
            throw FetchError.bodyTooLarge(limit: limit)
        }
        var type = String(decoding: text[(colon + 1)..<comma], as: UTF8.self)
        let isBase64 = type.lowercased().hasSuffix(";base64")
        if isBase64 { type.removeLast(";base64".utf8.count) }
        if type.isEmpty || type.hasPrefix(";") { type = "text/plain" + (type.isEmpty ? ";charset=US-ASCII" : type) }
        let plain = try percentDecoded(text[(comma + 1)...])
        let bytes = try isBase64 ? base64Decoded(plain) : Bytes(plain)
        guard bytes.count <= limit else { throw FetchError.bodyTooLarge(limit: limit, announced: bytes.count) }
        return (type, bytes)
    }

    /// RFC 3986 §2.1.
    private static func percentDecoded(_ text: ArraySlice<UInt8>) throws(FetchError) -> [UInt8] {
        guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
        var result: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.endIndex, let high = hexDigit(text[index + 1]),
                    let low = hexDigit(text[index + 2])
                else {
                    throw FetchError(.invalidDataURL, "The data: URL has a % without two hexadecimal digits.")
                }
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The forgiving decoding of the WHATWG's Infra standard: white space is passed over, the padding may be missing.
    private static func base64Decoded(_ text: [UInt8]) throws -> Bytes {
        let broken = FetchError(.invalidDataURL, "The data: URL's base64 is broken.")
        var text = text.filter { ![0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        if text.count % 4 == 0 {
            for _ in 0..<2 where text.last == UInt8(ascii: "=") { text.removeLast() }
        }
        guard text.count % 4 != 1 else { throw broken }
        return try Bytes(capacity: text.count / 4 * 3 + 2) { room in
            var bits: UInt32 = 0
            var count = 0
            var written = 0
            for byte in text {
                guard let value = sextet(byte) else { throw broken }
                bits = bits << 6 | UInt32(value)
                count += 6
                if count >= 8 {
                    count -= 8
                    room[written] = UInt8(truncatingIfNeeded: bits >> UInt32(count))
                    written += 1
                }
            }
            return written
        }
    }

    private static func sextet(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// A body that is there already.
final class BytesBody: BodyStream {
    private let rest: Mutex<Bytes?>

    init(_ bytes: Bytes) { rest = Mutex(bytes.isEmpty ? nil : bytes) }

    func next() async throws -> Bytes? {
        rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
    }

    func cancel() { rest.withLock { $0 = nil } }
}
