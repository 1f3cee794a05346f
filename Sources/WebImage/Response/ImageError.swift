#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a load ended without a picture. The one error type of the pipeline.
public struct ImageError: Error, Sendable, CustomStringConvertible {
    /// What went wrong. The set is open: compare with the known values and keep a default.
    ///
    /// Codes of the lower layers come through under their own names: `truncated`, `tooManyPixels`, `httpStatus`.
    public struct Code: Hashable, Sendable, RawRepresentable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The task was cancelled, or the Swift task that awaited it.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The bytes are no picture in a known format.
        public static let notAnImage = Code(rawValue: "notAnImage")
        /// The bytes end before the picture does.
        public static let truncated = Code(rawValue: "truncated")
        /// The bytes contradict their format's rules.
        public static let malformed = Code(rawValue: "malformed")
        /// More pixels than the limits allow.
        public static let tooManyPixels = Code(rawValue: "tooManyPixels")
        /// The server's answer was not a picture's: see ``ImageError/statusCode``.
        public static let httpStatus = Code(rawValue: "httpStatus")
        /// No connection could be made.
        public static let connectionFailed = Code(rawValue: "connectionFailed")
        /// The server kept us waiting too long.
        public static let timeout = Code(rawValue: "timeout")
        /// The body is longer than the cap.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// Only the cache was to be asked, and it has nothing that may be used.
        public static let notCached = Code(rawValue: "notCached")
        /// There is no such file.
        public static let fileNotFound = Code(rawValue: "fileNotFound")
        /// The request makes no sense: a size of zero, for example.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The system has no memory for the picture.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// A part threw an error that has no code of its own; see ``ImageError/underlying``.
        public static let other = Code(rawValue: "other")
    }

    /// The step at which the load ended.
    public enum Stage: String, Hashable, Sendable {
        case request
        case fetch
        case decode
        case process
        case encode
    }

    public let code: Code
    public let stage: Stage
    /// A sentence for people: what happened and, where there is one, what can be done.
    public let message: String
    /// The address without user, password and query, fit for a log.
    public let redactedURL: String
    /// The same request may succeed later without anybody changing anything.
    public let isRetryable: Bool
    /// The HTTP status, when the server's answer was the reason.
    public let statusCode: Int?
    /// The error of the layer below, when there is one.
    public let underlying: (any Error)?

    public init(
        _ code: Code, stage: Stage, message: String, redactedURL: String, isRetryable: Bool = false,
        statusCode: Int? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.stage = stage
        self.message = message
        self.redactedURL = redactedURL
        self.isRetryable = isRetryable
        self.statusCode = statusCode
        self.underlying = underlying
    }

    public var description: String { "\(message) [\(stage.rawValue), \(code.rawValue)] \(redactedURL)" }
}

extension ImageError: LocalizedError {
    /// The ``message``, so that Foundation's `localizedDescription` says it too. It is English everywhere.
    public var errorDescription: String? { message }
}
