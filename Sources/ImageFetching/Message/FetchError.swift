public import ByteBuffers

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why an address gave no bytes.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. The set is open: compare with the known values and keep a default.
    public struct Code: Hashable, Sendable, RawRepresentable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The address is not usable: no host, a broken form.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// A field of the request may not be sent as it is, because of a line break in its value for example.
        public static let invalidHeader = Code(rawValue: "invalidHeader")
        /// No transport knows the scheme.
        public static let unsupportedScheme = Code(rawValue: "unsupportedScheme")
        /// The host's name has no address. Retryable.
        public static let dns = Code(rawValue: "dns")
        /// No connection could be made. Retryable.
        public static let connectionFailed = Code(rawValue: "connectionFailed")
        /// The connection broke before the response was complete. Retryable.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The address was resolved to one that the configuration forbids.
        public static let forbiddenAddress = Code(rawValue: "forbiddenAddress")
        /// No secure connection could be made, or the certificate is not to be trusted.
        public static let tls = Code(rawValue: "tls")
        /// No progress within ``FetchLimits/timeout``, or not done within ``FetchLimits/totalTimeout``. Retryable.
        public static let timeout = Code(rawValue: "timeout")
        /// A status other than 200; see ``FetchError/statusCode``. Retryable for 408, 425, 429 and 5xx.
        public static let httpStatus = Code(rawValue: "httpStatus")
        /// More bytes than ``FetchLimits/maxBodyBytes``.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// A head of more bytes than ``FetchLimits/maxHeaderBytes``.
        public static let headerTooLarge = Code(rawValue: "headerTooLarge")
        /// The body ended before its announced end. Retryable.
        public static let truncatedBody = Code(rawValue: "truncatedBody")
        /// The body is compressed for the way although that was not asked for.
        public static let unsupportedContentEncoding = Code(rawValue: "unsupportedContentEncoding")
        /// The response breaks HTTP's rules.
        public static let protocolError = Code(rawValue: "protocolError")
        /// Redirects lead back to an address that was visited.
        public static let redirectLoop = Code(rawValue: "redirectLoop")
        /// More redirects than the configuration allows.
        public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
        /// A redirect leads from `https:` to `http:`.
        public static let insecureRedirect = Code(rawValue: "insecureRedirect")
        /// A redirect leads to a scheme other than `http:` and `https:`.
        public static let forbiddenRedirect = Code(rawValue: "forbiddenRedirect")
        /// There is no such file.
        public static let fileNotFound = Code(rawValue: "fileNotFound")
        /// The file cannot be read, or is a folder, a pipe or a device.
        public static let fileUnreadable = Code(rawValue: "fileUnreadable")
        /// The `data:` URL does not keep to RFC 2397.
        public static let invalidDataURL = Code(rawValue: "invalidDataURL")
        /// A hook refused the request, or could not prepare it.
        public static let requestRefused = Code(rawValue: "requestRefused")
        /// A hook refused the response.
        public static let responseRefused = Code(rawValue: "responseRefused")
        /// A hook could not make anything of the body.
        public static let bodyRefused = Code(rawValue: "bodyRefused")
        /// The media type is none of those that are accepted.
        public static let unacceptableMediaType = Code(rawValue: "unacceptableMediaType")
        /// The origin has failed so often that it is left alone for a while. Retryable.
        public static let originUnavailable = Code(rawValue: "originUnavailable")
        /// Only a cache was to be asked, and it has nothing that may be used.
        public static let notCached = Code(rawValue: "notCached")
        /// The system has no memory. Retryable.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    public let code: Code
    /// A sentence for people. Addresses in it have neither credentials nor a query.
    public let message: String
    /// Whether the same request may well succeed later.
    public let isRetryable: Bool
    /// The response's head, where one came; it has `Retry-After`. Its `finalURL` is not redacted.
    public let head: ResponseHead?
    /// The start of the body of a refused response, at most 64 KiB. Empty if there was none.
    public let bodyStart: Bytes

    /// How many attempts were made.
    public internal(set) var attempts = 1

    /// - Parameter isRetryable: nil lets the code decide.
    public init(
        _ code: Code, _ message: String, isRetryable: Bool? = nil, head: ResponseHead? = nil, bodyStart: Bytes = Bytes()
    ) {
        self.code = code
        self.message = message
        self.isRetryable = isRetryable ?? Self.retryableCodes.contains(code)
        self.head = head
        self.bodyStart = bodyStart
    }

    /// The HTTP status, where a response came.
    public var statusCode: Int? { head?.status }

    public var description: String { message }

    private static let retryableCodes: Set<Code> = [
        .dns, .connectionFailed, .connectionLost, .timeout, .truncatedBody, .outOfMemory, .originUnavailable,
    ]
}

extension FetchError {
    static let cancelled = FetchError(.cancelled, "The fetch was cancelled.")

    /// Any error as one of ours.
    init(_ error: any Error) {
        switch error {
        case let error as FetchError: self = error
        case is CancellationError: self = .cancelled
        case let error as AllocationError: self = FetchError(.outOfMemory, error.description)
        case let error as ByteAccumulator.LimitExceeded: self = .bodyTooLarge(limit: error.limit)
        default: self = FetchError(.connectionFailed, "The transport failed: \(error)")
        }
    }

    static func bodyTooLarge(limit: Int, announced: Int? = nil, head: ResponseHead? = nil) -> FetchError {
        let what = announced.map { "The body is said to have \($0) bytes" } ?? "The body goes on"
        return FetchError(.bodyTooLarge, "\(what); at most \(limit) are allowed.", head: head)
    }
}

extension FetchError: LocalizedError {
    /// The ``message``, so that Foundation's `localizedDescription` says it too. It is English everywhere.
    public var errorDescription: String? { message }
}
