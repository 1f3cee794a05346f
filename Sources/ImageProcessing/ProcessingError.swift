/// Why pixels could not become other pixels.
public struct ProcessingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. The set is open: compare with the known values and keep a default.
    public struct Code: Hashable, Sendable, RawRepresentable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A width or height is zero, negative, or beyond what the operation takes.
        public static let invalidSize = Code(rawValue: "invalidSize")
        /// The rectangle to keep is empty or reaches outside the picture.
        public static let invalidCrop = Code(rawValue: "invalidCrop")
        /// The operation does not handle pixels of this format.
        public static let unsupportedPixelFormat = Code(rawValue: "unsupportedPixelFormat")
        /// The system has no memory.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
    }

    public let code: Code
    /// A sentence for people: what is wrong and, where there is one, what can be done.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

extension ProcessingError {
    static func outOfMemory(byteCount: Int) -> ProcessingError {
        ProcessingError(.outOfMemory, "There is no memory for a buffer of \(byteCount) bytes.")
    }
}
