import ByteBuffers

extension DiskCache {
    /// Changes what is kept beside an entry's payload; the payload and the time at which it was stored stay.
    ///
    /// The file is written anew and put in the place of the old one in one step. When somebody stores under the key at the
    /// same moment, one of the two wins, whole.
    ///
    /// - Returns: whether there is such an entry, as with ``entry(for:)``. Entries of folders that are only read cannot be
    ///   changed and do not count.
    /// - Throws: ``CacheError``. Then the entry is what it was.
    @discardableResult
    public func updateMetadata(
        for key: DiskKey, _ change: (inout EntryMetadata) -> Void
    ) throws(CacheError) -> Bool {
        guard let entry = try ownEntry(for: key) else { return false }
        var metadata = entry.metadata
        change(&metadata)
        guard metadata != entry.metadata else { return true }
        let writer = try makeWriter(for: key)
        try entry.payload.withUnsafeBytes { bytes throws(CacheError) in try writer.append(bytes) }
        try writer.commit(metadata: metadata, storedAt: entry.storedAt)
        return true
    }
}
