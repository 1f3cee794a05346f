public import ByteBuffers

extension CacheEntry {
    /// An entry for a tier to give out.
    ///
    /// - Parameter storedAt: nanoseconds since 1970.
    public init(_ payload: Bytes, metadata: EntryMetadata = [:], storedAt: Int64) {
        self.init(payload: payload, metadata: metadata, storedAt: storedAt)
    }

    /// The entry and its key as bytes, for a tier that keeps them elsewhere: what the disk cache writes into a file, with
    /// its checksum.
    ///
    /// - Throws: `AllocationError`.
    public func transferBytes(for key: DiskKey) throws -> Bytes {
        let trailer = EntryTrailer(
            payloadCount: payload.count, storedAt: storedAt, key: key.encoded, metadata: metadata
        ).encoded()
        let checked = payload.count + trailer.count
        return try Bytes(capacity: checked + EntryTrailer.checksumSize) { room in
            payload.withUnsafeBytes { room.copyMemory(from: $0) }
            trailer.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: room[payload.count...]).copyMemory(from: $0)
            }
            let checksum = EntryTrailer.checksum(of: UnsafeRawBufferPointer(rebasing: room[..<checked]))
            room.storeBytes(of: checksum.littleEndian, toByteOffset: checked, as: UInt64.self)
            return room.count
        }
    }

    /// What ``transferBytes(for:)`` has written.
    ///
    /// Nil when a bit is wrong, or when it is another key's: what comes from outside is not taken on trust.
    public init?(transferBytes bytes: Bytes, for key: DiskKey) {
        guard let trailer = bytes.withUnsafeBytes({ EntryTrailer(verifying: $0) }), trailer.key == key.encoded
        else { return nil }
        self.init(
            payload: bytes[0..<trailer.payloadCount], metadata: trailer.metadata, storedAt: trailer.storedAt)
    }
}
