public import ByteBuffers

/// What the disk cache had under a key.
public struct CacheEntry: Hashable, Sendable {
    /// The bytes as they were stored.
    public let payload: Bytes
    public let metadata: EntryMetadata
    /// When it was stored, in nanoseconds since 1970, by the clock of the process that did.
    public let storedAt: Int64
}

/// An entry as a listing shows it, without its payload.
public struct CacheEntrySummary: Hashable, Sendable {
    /// The key's canonical bytes, ``KeyFields/encoded``.
    public let key: [UInt8]
    public let fileName: String
    /// The payload's size.
    public let byteCount: Int
    public let metadata: EntryMetadata
    /// When it was stored, in nanoseconds since 1970.
    public let storedAt: Int64
    /// When it was last stored or read, in nanoseconds since 1970, to the minute.
    public let lastUsed: Int64
}

/// Figures of a disk cache.
public struct DiskStatistics: Hashable, Sendable {
    /// Entries of all processes, as the shared counters know them.
    public var entries = 0
    /// What they take on the disk, each in whole blocks of 4 KiB.
    public var bytes = 0
    public var byteLimit = 0
    /// Of this instance: entries that were found, and that were not.
    public var hits = 0
    public var misses = 0
    /// Of this instance: entries that were stored.
    public var stores = 0
    /// Of this instance: entries that were damaged or another key's, and dropped. Each is a miss as well.
    public var corrupted = 0
    /// Of this instance: entries that were found too old, and dropped.
    public var expired = 0
    /// Of this instance: entries that made room for others.
    public var evicted = 0
}

/// What a sweep did.
public struct SweepReport: Hashable, Sendable {
    /// Entries that had become too old.
    public var expired = 0
    /// Entries that went because there was too much.
    public var evicted = 0
    /// Temporary files that a process had left behind.
    public var orphans = 0
    /// What all of them took on the disk.
    public var freedBytes = 0
}
