/// Why the disk cache could not do what was asked. A missing, expired or damaged entry is not an error.
public struct CacheError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. The set is open: compare with the known values and keep a default.
    public struct Code: Hashable, Sendable, RawRepresentable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The folder cannot be made, opened or written to.
        public static let unusableDirectory = Code(rawValue: "unusableDirectory")
        /// The device or a quota is full.
        public static let noSpace = Code(rawValue: "noSpace")
        /// The entry is larger than ``DiskCache/Configuration/maximumEntryBytes``, or than the whole cache.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// Another system call failed; the message has the system's text.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// The system has no memory.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
    }

    public let code: Code
    /// A sentence for people, with the system's own text where there is one.
    public let message: String
    /// The system's error number, `ENOSPC` for example; nil where no call failed.
    public let systemCode: Int32?

    public init(_ code: Code, _ message: String, systemCode: Int32? = nil) {
        self.code = code
        self.message = message
        self.systemCode = systemCode
    }

    public var description: String { message }
}

/// The disk cache stopped working for now. Loads go on without it.
///
/// One is reported when a cache that worked, or is new, fails; the next only after it has worked again.
public struct CacheWarning: Hashable, Sendable, CustomStringConvertible {
    /// The folder concerned.
    public let directory: String
    /// The first failure.
    public let error: CacheError

    public var description: String { "The disk cache in \(directory) does not work for now: \(error.message)" }
}
