/// How far a fetch is.
public struct FetchProgress: Sendable, Hashable {
    /// Bytes of the body that came.
    public let received: Int
    /// Bytes that the body was said to have; nil if unknown.
    public let expected: Int?

    public init(received: Int, expected: Int?) {
        self.received = received
        self.expected = expected
    }

    /// From 0 to 1; nil while the length is unknown.
    public var fraction: Double? {
        expected.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
    }
}
