import CCryptoShim
import CXXHash

/// The key of a stored entry: the fields' bytes, which are written into the entry, and a file name made from them.
///
/// The name is the SHA-256 of the bytes, 64 lower-case hexadecimal digits, whatever the fields hold: a NUL, `..`, a
/// slash or 8 KiB of text never reach the file system. An entry is only given out when the key in it is the same.
public struct DiskKey: Hashable, Sendable {
    /// The fields' canonical bytes, ``KeyFields/encoded``.
    public let encoded: [UInt8]
    /// The entry's file name, 64 hexadecimal digits. Its first two are the name of the shard folder.
    public let fileName: String

    public init(_ fields: KeyFields) {
        encoded = fields.encoded
        fileName = Self.hexadecimal(Self.digest(of: fields.encoded))
    }

    public static func == (left: DiskKey, right: DiskKey) -> Bool { left.encoded == right.encoded }

    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

    private static func digest(of bytes: [UInt8]) -> [UInt8] {
        let digest = [UInt8](unsafeUninitializedCapacity: 32) { room, filled in
            let isDone = bytes.withUnsafeBytes { wi_crypto_sha256($0.baseAddress, $0.count, room.baseAddress) }
            filled = isDone ? 32 : 0
        }
        return digest.isEmpty ? substitute(for: bytes) : digest
    }

    /// OpenSSL has no SHA-256 (no memory, or a policy of the system). The stored key is compared anyway, so another
    /// hash only costs a miss when the entry is looked for by a process that has one.
    private static func substitute(for bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in
            (0..<4).flatMap { seed in
                withUnsafeBytes(of: xxh3_64_seeded(bytes.baseAddress, bytes.count, seed), Array.init)
            }
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { room in
            for (index, byte) in bytes.enumerated() {
                room[index * 2] = digits[Int(byte >> 4)]
                room[index * 2 + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }
}
