package import ByteBuffers

extension Bytes {
    /// XXH3-64 of the bytes: equal for equal bytes, and differs by mere accident for others. Not proof against somebody
    /// who looks for two that agree.
    package var checksum: UInt64 { withUnsafeBytes { EntryTrailer.checksum(of: $0) } }
}
