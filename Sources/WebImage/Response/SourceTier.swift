/// Where the bytes or the pixels of a response came from.
public enum SourceTier: String, Hashable, Sendable, CaseIterable {
    /// The decoded picture was in memory.
    case memory
    /// The original bytes, or the finished picture, were in the disk cache.
    case disk
    /// The original bytes were in a tier behind the disk, one that several machines may share.
    case shared
    /// The bytes were downloaded.
    case network
    /// The bytes came from a `file:` or `data:` URL.
    case local
}
