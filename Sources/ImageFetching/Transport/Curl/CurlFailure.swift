import CCurlShim

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FetchError {
    /// A failure that libcurl reported, with its own message.
    init(_ outcome: wi_curl_outcome, _ message: String, url: URL, head: ResponseHead?) {
        let (code, sentence): (Code, String) =
            switch outcome {
            case WI_CURL_BAD_URL: (.invalidURL, "is no usable address")
            case WI_CURL_SCHEME: (.unsupportedScheme, "has a scheme that is not supported")
            case WI_CURL_DNS: (.dns, "could not be resolved")
            case WI_CURL_CONNECT: (.connectionFailed, "could not be connected to")
            case WI_CURL_LOST: (.connectionLost, "closed the connection too early")
            case WI_CURL_TLS: (.tls, "could not be connected to securely")
            case WI_CURL_TIMEOUT: (.timeout, "took too long")
            case WI_CURL_SHORT: (.truncatedBody, "ended the body too early")
            case WI_CURL_PROTOCOL: (.protocolError, "broke the rules of HTTP")
            case WI_CURL_TOO_LARGE: (.bodyTooLarge, "sent too much")
            case WI_CURL_MEMORY: (.outOfMemory, "needs more memory than there is")
            case WI_CURL_STOPPED: (.cancelled, "was stopped")
            default: (.connectionFailed, "failed")
            }
        self.init(code, "\(url.redacted) \(sentence): \(message).", head: head)
    }
}
