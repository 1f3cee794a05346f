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
        /// A number that is none, is infinite, or lies outside what the operation takes.
        public static let invalidParameter = Code(rawValue: "invalidParameter")
        /// The result would have more pixels, or a longer side, than is allowed.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The text or the bytes are no placeholder.
        public static let invalidHash = Code(rawValue: "invalidHash")
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
    /// - Throws: an error with the code `invalidParameter` when a number is none or lies outside.
    static func check(
        _ value: Double, _ name: String, in range: ClosedRange<Double>
    ) throws(ProcessingError) {
        // What is not a number lies in no range.
        guard range.contains(value) else {
            throw ProcessingError(
                .invalidParameter,
                "The \(name) is \(value); it has to be from \(range.lowerBound) to \(range.upperBound).")
        }
    }

    static func outOfMemory(byteCount: Int) -> ProcessingError {
        ProcessingError(.outOfMemory, "There is no memory for a buffer of \(byteCount) bytes.")
    }
}
