/// Why bytes could not become pixels, or pixels bytes.
public struct CodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. The set is open: compare with the known values and keep a default.
    public struct Code: Hashable, Sendable, RawRepresentable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There are no bytes.
        public static let empty = Code(rawValue: "empty")
        /// The bytes are no picture in a known format.
        public static let notAnImage = Code(rawValue: "notAnImage")
        /// The format is known, but no coder for it is there.
        public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
        /// The format is supported, but not a feature that this picture uses.
        public static let unsupportedFeature = Code(rawValue: "unsupportedFeature")
        /// The bytes end before the picture does.
        public static let truncated = Code(rawValue: "truncated")
        /// The bytes contradict the format's rules.
        public static let malformed = Code(rawValue: "malformed")
        /// More pixels in all than ``DecodeLimits/maxPixels``.
        public static let tooManyPixels = Code(rawValue: "tooManyPixels")
        /// A side is longer than ``DecodeLimits/maxSide``.
        public static let sideTooLong = Code(rawValue: "sideTooLong")
        /// More encoded bytes than ``DecodeLimits/maxInputBytes``.
        public static let tooManyBytes = Code(rawValue: "tooManyBytes")
        /// More frames than ``DecodeLimits/maxFrames``.
        public static let tooManyFrames = Code(rawValue: "tooManyFrames")
        /// Decoding took longer than ``DecodeLimits/maxDuration``.
        public static let tookTooLong = Code(rawValue: "tookTooLong")
        /// There is no frame of the number that was asked for.
        public static let noSuchFrame = Code(rawValue: "noSuchFrame")
        /// Decoding would take more work or memory than the limits allow, a progressive JPEG of many scans for example.
        public static let tooComplex = Code(rawValue: "tooComplex")
        /// The system has no memory.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// Somebody asked to stop.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The encoder refused the picture.
        public static let encodingFailed = Code(rawValue: "encodingFailed")
    }

    public let code: Code
    /// A sentence for people: what is wrong and, where there is one, what can be done.
    public let message: String
    /// The format concerned, as far as it is known.
    public let format: ImageFormat?

    public init(_ code: Code, _ message: String, format: ImageFormat? = nil) {
        self.code = code
        self.message = message
        self.format = format
    }

    public var description: String { message }
}
