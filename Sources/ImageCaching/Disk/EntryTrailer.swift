import CXXHash

/// What stands behind an entry's payload in its file.
///
/// ```
/// payload │ key │ metadata │ footer, 48 bytes, little-endian:
///   0  UInt64  payload's length        24  UInt32  key's length
///   8  Int64   stored at, ns           28  UInt32  metadata's length
///  16  UInt64  zero                    32  UInt32  version, UInt32 magic
///                                      40  UInt64  XXH3-64 of all bytes before
/// ```
///
/// The payload comes first, so that any viewer opens the file. The lengths must add up to the file's size and the
/// checksum covers every byte before it: what a crash or a bad disk left is never taken for an entry.
struct EntryTrailer: Hashable, Sendable {
    static let footerSize = 48
    static let version: UInt32 = 1
    /// "SWIC" in the file.
    static let magic: UInt32 = 0x4349_5753
    static let checksumSize = 8
    /// The most bytes that a key and its metadata may have together.
    static let sizeLimit = 1 << 20

    var payloadCount: Int
    var storedAt: Int64
    var key: [UInt8]
    var metadata: EntryMetadata

    /// XXH3-64.
    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 { xxh3_64(bytes.baseAddress, bytes.count) }

    /// All bytes but the checksum.
    func encoded() -> [UInt8] {
        let metadata = metadata.encoded
        var bytes = key + metadata
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(UInt64(payloadCount))
        append(storedAt)
        append(0 as UInt64)
        append(UInt32(clamping: key.count))
        append(UInt32(clamping: metadata.count))
        append(Self.version)
        append(Self.magic)
        return bytes
    }

    /// The lengths in a footer.
    struct Footer {
        let payloadCount, keyCount, metadataCount: Int
        let storedAt: Int64

        /// Nil when the footer is not one of ours or does not fit the file.
        init?(_ bytes: UnsafeRawBufferPointer, fileSize: Int) {
            guard bytes.count == footerSize else { return nil }
            func load<Number: FixedWidthInteger>(_ offset: Int, as type: Number.Type) -> Number {
                Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
            }
            guard load(36, as: UInt32.self) == magic, load(32, as: UInt32.self) == version else { return nil }
            guard let payload = Int(exactly: load(0, as: UInt64.self)) else { return nil }
            keyCount = Int(load(24, as: UInt32.self))
            metadataCount = Int(load(28, as: UInt32.self))
            guard keyCount + metadataCount <= sizeLimit else { return nil }
            guard payload == fileSize - footerSize - keyCount - metadataCount else { return nil }
            payloadCount = payload
            storedAt = load(8, as: Int64.self)
        }
    }

    /// Nil unless the bytes are a whole entry's, each of them as it was written.
    init?(verifying file: UnsafeRawBufferPointer) {
        let checked = file.count - Self.checksumSize
        guard file.count >= Self.footerSize,
            let footer = Footer(UnsafeRawBufferPointer(rebasing: file.suffix(Self.footerSize)), fileSize: file.count),
            UInt64(littleEndian: file.loadUnaligned(fromByteOffset: checked, as: UInt64.self))
                == Self.checksum(of: UnsafeRawBufferPointer(rebasing: file[..<checked]))
        else { return nil }
        self.init(footer, description: UnsafeRawBufferPointer(rebasing: file[footer.payloadCount...]))
    }

    /// - Parameter description: the bytes from the key on.
    init?(_ footer: Footer, description: UnsafeRawBufferPointer) {
        let end = footer.keyCount + footer.metadataCount
        guard description.count >= end,
            let metadata = EntryMetadata(
                encoded: UnsafeRawBufferPointer(rebasing: description[footer.keyCount..<end]))
        else { return nil }
        self.init(
            payloadCount: footer.payloadCount, storedAt: footer.storedAt,
            key: Array(description[..<footer.keyCount]), metadata: metadata)
    }

    init(payloadCount: Int, storedAt: Int64, key: [UInt8], metadata: EntryMetadata) {
        self.payloadCount = payloadCount
        self.storedAt = storedAt
        self.key = key
        self.metadata = metadata
    }
}
