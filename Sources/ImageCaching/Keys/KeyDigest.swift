/// A key as 128 bits, for memory only.
///
/// It is SipHash-2-4-128 under a key that this process drew at random when it started: nobody outside can prepare two
/// keys that collide, and two honest ones collide with a probability of 2⁻¹²⁸ a pair. It means nothing in another
/// process and must not be stored; ``DiskKey`` is for that.
public struct KeyDigest: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(of bytes: [UInt8]) {
        let (low, high) = bytes.withUnsafeBytes { SipHash.digest(of: $0, key: Self.processKey) }
        self.init(high: high, low: low)
    }

    /// The bits are mixed under a secret already: a hash table need not hash them again.
    @inlinable public var hashValue: Int { Int(truncatingIfNeeded: low) }

    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(low) }

    @inlinable public static func == (left: KeyDigest, right: KeyDigest) -> Bool {
        left.low == right.low && left.high == right.high
    }

    private static let processKey: (UInt64, UInt64) = {
        var random = SystemRandomNumberGenerator()
        return (random.next(), random.next())
    }()
}
