#if AsyncHTTPClient
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FetchError {
    /// A failure of the client or of SwiftNIO below it, with its own message.
    init(asyncHTTPClient error: any Error, url: URL, head: ResponseHead?) {
        if error is FetchError || error is CancellationError {
            self.init(error)
            return
        }
        let (code, sentence) = Self.meaning(of: error, hasHead: head != nil)
        self.init(code, "\(url.redacted) \(sentence): \(error).", head: head)
    }

    private static func meaning(of error: any Error, hasHead: Bool) -> (Code, String) {
        switch error {
        case let error as HTTPClientError: meaning(of: error, hasHead: hasHead)
        case HTTPParserError.headerOverflow: (.headerTooLarge, "sent too large a head")
        case HTTPParserError.invalidEOFState where hasHead: (.truncatedBody, "ended the body too early")
        case HTTPParserError.invalidEOFState: (.connectionLost, "closed the connection too early")
        case is HTTPParserError: (.protocolError, "broke the rules of HTTP")
        case let error as NIOConnectionError:
            error.connectionErrors.isEmpty
                ? (.dns, "could not be resolved") : (.connectionFailed, "could not be connected to")
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: (.tls, "could not be connected to securely")
        case ChannelError.connectTimeout: (.timeout, "took too long")
        case is IOError where hasHead, is ChannelError where hasHead:
            (.connectionLost, "closed the connection too early")
        case let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE:
            (.connectionLost, "closed the connection too early")
        default: (.connectionFailed, "failed")
        }
    }

    private static func meaning(of error: HTTPClientError, hasHead: Bool) -> (Code, String) {
        switch error {
        case .invalidURL, .emptyHost, .emptyScheme: (.invalidURL, "is no usable address")
        // The client was shut down below the transfer.
        case .alreadyShutdown, .cancelled, .requestStreamCancelled: (.cancelled, "was stopped")
        case .remoteConnectionClosed: (.connectionLost, "closed the connection too early")
        case .readTimeout, .connectTimeout, .tlsHandshakeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout:
            (.timeout, "took too long")
        case .uncleanShutdown: (hasHead ? .truncatedBody : .connectionLost, "closed the connection too early")
        default: (.connectionFailed, "failed")
        }
    }
}
#endif
