import ByteBuffers

/// An entry's file that is not as it was written.
public struct DamagedEntry: Hashable, Sendable {
    /// What is wrong with it. The set is open: compare with the known values and keep a default.
    public struct Reason: Hashable, Sendable, RawRepresentable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It ends too early, or is no entry, or one of another version.
        public static let incomplete = Reason(rawValue: "incomplete")
        /// Its lengths are right and its bytes are not.
        public static let wrongChecksum = Reason(rawValue: "wrongChecksum")
        /// It is whole, and another key's than its name says.
        public static let wrongName = Reason(rawValue: "wrongName")
        /// It cannot be read. This may be the file's fault or that of whoever reads, so it is never removed.
        public static let unreadable = Reason(rawValue: "unreadable")
    }

    public let fileName: String
    /// The file's size.
    public let byteCount: Int
    public let reason: Reason
    public let wasRemoved: Bool
}

/// What a verification found.
public struct VerificationReport: Hashable, Sendable {
    /// Entries that were looked at, damaged ones among them, and the bytes of their files.
    public var entries = 0
    public var bytes = 0
    /// Damaged entries, and those of them that were removed.
    public var damaged = 0
    public var removed = 0
}

extension DiskCache {
    /// Reads every entry and compares it with its checksum and its name. This neither changes when an entry was last used,
    /// nor removes what is too old.
    ///
    /// - Parameters:
    ///   - removesDamaged: whether damaged entries are removed. Default yes.
    ///   - onEntry: called for each entry, with nil for a whole one.
    /// - Throws: ``CacheError`` when the folder cannot be opened. A damaged entry that cannot be removed stays and is no
    ///   error.
    @discardableResult
    public func verify(
        removesDamaged: Bool = true, onEntry: (DamagedEntry?) -> Void = { _ in }
    ) throws(CacheError) -> VerificationReport {
        let folder = try folder()
        var report = VerificationReport()
        for shard in 0..<UsageCounter.shardCount {
            for listed in folder.list(shard) {
                var inode = listed.status.inode
                let reason: DamagedEntry.Reason?
                do throws(SystemError) {
                    reason = try damage(listed, &inode, in: folder)
                } catch {
                    // What has just been removed has no fault.
                    if error.isNotFound { continue }
                    reason = .unreadable
                }
                report.entries += 1
                report.bytes += listed.status.size
                guard let reason else {
                    onEntry(nil)
                    continue
                }
                let mayGo = removesDamaged && reason != .unreadable
                let freed = mayGo ? try? remove(listed.name, shard: shard, onlyInode: inode, in: folder) : nil
                report.damaged += 1
                if freed != nil { report.removed += 1 }
                onEntry(
                    DamagedEntry(
                        fileName: listed.name, byteCount: listed.status.size, reason: reason, wasRemoved: freed != nil))
            }
        }
        return report
    }

    /// - Parameter inode: becomes that of the file which was read.
    private func damage(
        _ listed: CacheFolder.Listed, _ inode: inout UInt64, in folder: CacheFolder
    ) throws(SystemError) -> DamagedEntry.Reason? {
        guard let shard = try folder.openShard(listed.shard) else { return nil }
        defer { fileSystem.discard(shard) }
        let file = try fileSystem.openForReading(listed.name, in: shard)
        defer { fileSystem.discard(file) }
        let status = try fileSystem.status(of: file)
        inode = status.inode
        var failure: SystemError?
        // Without memory for all of it nothing is known of it.
        let content = try? Bytes(capacity: status.size) { room in
            do throws(SystemError) {
                return try fileSystem.readAll(file, into: room, at: 0)
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        guard let content else { return .unreadable }
        return content.withUnsafeBytes { bytes in
            let end = UnsafeRawBufferPointer(rebasing: bytes.suffix(EntryTrailer.footerSize))
            guard EntryTrailer.Footer(end, fileSize: bytes.count) != nil else { return .incomplete }
            guard let trailer = EntryTrailer(verifying: bytes) else { return .wrongChecksum }
            // A key that another version has written says nothing of its name.
            guard let fields = KeyFields(encoded: trailer.key) else { return nil }
            return DiskKey(fields).fileName == listed.name ? nil : .wrongName
        }
    }
}
