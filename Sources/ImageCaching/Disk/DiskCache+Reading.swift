import ByteBuffers

extension DiskCache {
    static let touchInterval: Int64 = 60 * 1_000_000_000

    func read(_ key: DiskKey, in folder: CacheFolder) throws(CacheError) -> CacheEntry? {
        do {
            guard let shard = try folder.openShard(key.shard) else { return nil }
            defer { fileSystem.discard(shard) }
            let file: Int32
            do {
                file = try fileSystem.openForReading(key.fileName, in: shard)
            } catch {
                guard error.isNotFound else { throw error }
                return nil
            }
            defer { fileSystem.discard(file) }
            let status = try fileSystem.status(of: file)
            guard status.isRegular, status.size <= sizeLimit else { return nil }
            guard let entry = try verified(file, status, key) else {
                _ = try? remove(key.fileName, shard: key.shard, onlyInode: status.inode, in: folder)
                return nil
            }
            let now = wallClock()
            if now.subtractingReportingOverflow(status.modified).partialValue.magnitude >= Self.touchInterval {
                // Only the order of eviction suffers when it fails.
                try? fileSystem.touch(file, now)
            }
            return entry
        } catch let error as SystemError {
            throw CacheError(error, "read an entry")
        } catch {
            throw CacheError(.outOfMemory, "Cannot read an entry: \(error)")
        }
    }

    private func verified(_ file: Int32, _ status: FileStatus, _ key: DiskKey) throws -> CacheEntry? {
        let bytes = try Bytes(capacity: status.size) { try fileSystem.readAll(file, into: $0, at: 0) }
        let trailer = bytes.count == status.size ? bytes.withUnsafeBytes { EntryTrailer(verifying: $0) } : nil
        guard let trailer, trailer.key == key.encoded else {
            count { $0.corrupted += 1 }
            return nil
        }
        guard !isExpired(trailer.storedAt) else {
            count { $0.expired += 1 }
            return nil
        }
        return CacheEntry(
            payload: bytes[0..<trailer.payloadCount], metadata: trailer.metadata, storedAt: trailer.storedAt)
    }

    /// Whether something of this time is too old. A time in the future, after the clock was set back, counts as new, but
    /// not when it lies further ahead than entries may be old: such an entry would stay for too long.
    func isExpired(_ time: Int64) -> Bool {
        guard let lifetime = configuration.lifetime else { return false }
        let (age, overflow) = wallClock().subtractingReportingOverflow(time)
        return overflow || age >= lifetime || age < -lifetime
    }

    /// The largest file that can be an entry.
    private var sizeLimit: Int {
        min(max(0, configuration.maximumEntryBytes), Int.max / 2) + EntryTrailer.sizeLimit + EntryTrailer.footerSize
    }
}
