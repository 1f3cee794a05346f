#if AsyncHTTPClient
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPClientRequest {
    /// The client adds `Host` where it is missing, and nothing else to a GET.
    init(_ request: FetchRequest) {
        self.init(url: request.url.absoluteString)
        for field in request.headers { headers.add(name: field.name, value: field.value) }
        // RFC 7617: what the address says of the user counts only where the request says nothing.
        if !headers.contains(name: "Authorization"), let user = request.url.user(percentEncoded: false) {
            setBasicAuth(username: user, password: request.url.password(percentEncoded: false) ?? "")
        }
    }
}

extension ResponseHead {
    /// - Throws: `headerTooLarge`, `protocolError`, `bodyTooLarge`.
    init(_ response: HTTPClientResponse, for request: FetchRequest, limits: FetchLimits) throws(FetchError) {
        // As on the wire in HTTP/1.1: a status line, then a colon, a space and a line end for each field.
        var byteCount = "HTTP/1.1 200 \r\n\r\n".utf8.count + response.status.reasonPhrase.utf8.count
        var headers = HTTPHeaders()
        for (name, value) in response.headers {
            byteCount += name.utf8.count + value.utf8.count + 4
            headers.append(name, value)
        }
        guard byteCount <= limits.maxHeaderBytes else {
            throw FetchError(
                .headerTooLarge,
                "The response's head has \(byteCount) bytes; at most \(limits.maxHeaderBytes) are allowed.")
        }
        let status = Int(response.status.code)
        let length = try headers.contentLength(status: status)
        self.init(
            status: status, headers: headers, expectedByteCount: length, finalURL: request.url)
        if let length, length > limits.maxBodyBytes {
            throw .bodyTooLarge(limit: limits.maxBodyBytes, announced: length, head: self)
        }
    }
}
#endif
