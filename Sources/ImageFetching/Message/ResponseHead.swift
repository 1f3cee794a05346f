#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is known of a response before its body.
public struct ResponseHead: Sendable, Hashable {
    /// The HTTP status; nil for a file or a `data:` URL.
    public let status: Int?
    /// The response's fields; empty for a file or a `data:` URL.
    public let headers: HTTPHeaders
    /// How many bytes the body was said to have; nil if that was not said.
    public let expectedByteCount: Int?
    /// The media type that the source claims, in lower case and without parameters. A hint: the bytes decide.
    public let mediaType: String?
    /// The address that answered, after redirects.
    public let finalURL: URL
    /// The version of HTTP that was spoken: `1.0`, `1.1`, `2`. Nil for a file, a `data:` URL, or where it is not known.
    public let httpVersion: String?

    /// - Parameter mediaType: nil takes it from the `Content-Type` field.
    public init(
        status: Int? = nil, headers: HTTPHeaders = HTTPHeaders(), expectedByteCount: Int? = nil,
        mediaType: String? = nil, finalURL: URL, httpVersion: String? = nil
    ) {
        self.status = status
        self.headers = headers
        self.expectedByteCount = expectedByteCount
        self.mediaType = Self.essence(of: mediaType ?? headers["Content-Type"])
        self.finalURL = finalURL
        self.httpVersion = httpVersion
    }

    /// `type/subtype` of a media type with parameters (RFC 9110 §8.3.1).
    private static func essence(of type: String?) -> String? {
        guard let part = type?.split(separator: ";", omittingEmptySubsequences: false).first else { return nil }
        let words = part.split { $0 == " " || $0 == "\t" }
        guard words.count == 1, words[0].contains("/") else { return nil }
        return words[0].lowercased()
    }
}
