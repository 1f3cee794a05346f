public import ByteBuffers

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An ICC colour profile as a file carries it (ICC.1:2022).
public struct ICCProfile: Sendable {
    /// What a profile's numbers are made of.
    public enum Space: Hashable, Sendable {
        case gray
        case rgb
        case cmyk
        /// Anything else: pixels are never in it.
        case other
    }

    /// Larger profiles are passed over. The largest in use, for presses, have about 2.5 MB.
    public static let maximumByteCount = 4 << 20

    /// The whole profile.
    public let bytes: Bytes
    /// What is described.
    public let space: Space
    /// The profile means sRGB, or for a grey one sRGB's curve: nothing would change.
    public let isSRGB: Bool
    /// The code points of a `cicp` tag, which names PQ and HLG exactly (ICC.1:2022 §10.3).
    public let codePoints: ColorCodePoints?
    /// The name that the profile has for people, "Display P3" for example.
    public let name: String?

    /// Looks at a profile's header and the few tags that tell sRGB from others; a few microseconds.
    ///
    /// - Returns: `nil` when the bytes are no profile, or more than ``maximumByteCount``.
    public init?(_ bytes: Bytes) {
        guard bytes.count <= Self.maximumByteCount else { return nil }
        let found = bytes.withUnsafeBytes { raw -> (Space, Bool, ColorCodePoints?, String?)? in
            guard let tags = ICCTags(raw) else { return nil }
            return (tags.space, tags.isSRGB, tags.codePoints, tags.name)
        }
        guard let found else { return nil }
        self.bytes = bytes
        (space, isSRGB, codePoints, name) = found
    }
}

extension ICCProfile: Hashable {
    public static func == (left: ICCProfile, right: ICCProfile) -> Bool {
        guard left.bytes.count == right.bytes.count else { return false }
        return left.bytes.withUnsafeBytes { left in
            right.bytes.withUnsafeBytes { right in
                guard let left = left.baseAddress, let other = right.baseAddress else { return right.isEmpty }
                return left == other || memcmp(left, other, right.count) == 0
            }
        }
    }

    /// Of the header and the tag table alone: what differs below them, `==` finds.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes.count)
        bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(512))) }
    }
}
