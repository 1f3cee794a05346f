/// What a removal of several entries did.
public struct RemovalReport: Hashable, Sendable {
    /// Entries that were removed.
    public var entries = 0
    /// What they took on the disk, in whole blocks of 4 KiB.
    public var bytes = 0

    public init(entries: Int = 0, bytes: Int = 0) {
        self.entries = entries
        self.bytes = bytes
    }
}

extension DiskCache {
    /// Removes every entry that `isUnwanted` says so of, after a walk over the whole cache like that of
    /// ``forEachEntry(_:)``. An entry that somebody else replaces meanwhile may go in the place of the one that was looked
    /// at.
    ///
    /// - Throws: ``CacheError`` when the folder cannot be opened, or an entry stays that should go; those before it are
    ///   gone.
    @discardableResult
    public func removeEntries(
        where isUnwanted: (CacheEntrySummary) -> Bool
    ) throws(CacheError) -> RemovalReport {
        let folder = try folder()
        var report = RemovalReport()
        var failure: SystemError?
        try forEachEntry { entry in
            guard isUnwanted(entry), let shard = Int(entry.fileName.prefix(2), radix: 16) else { return true }
            do throws(SystemError) {
                guard let freed = try remove(entry.fileName, shard: shard, onlyInode: nil, in: folder) else {
                    return true
                }
                report.entries += 1
                report.bytes += freed
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw self.report(CacheError(failure, "remove an entry")) }
        return report
    }
}
