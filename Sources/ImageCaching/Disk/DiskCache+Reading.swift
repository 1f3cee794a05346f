import ByteBuffers

extension DiskCache {
    static let touchInterval: Int64 = 60 * 1_000_000_000

    /// Whether there is an entry under the key that is not too old. It is not read, so it may yet turn out to be damaged,
    /// and does not count as used. Folders that are only read are not looked into.
    ///
    /// - Throws: ``CacheError`` when the folder cannot be read.
    public func contains(_ key: DiskKey) throws(CacheError) -> Bool {
        let folder = try folder()
        do throws(SystemError) {
            guard let shard = try folder.openShard(key.shard) else { return false }
            defer { fileSystem.discard(shard) }
            let status = try fileSystem.status(of: key.fileName, in: shard)
            return status.isRegular && !isExpired(status.modified)
        } catch  where error.isNotFound {
            return false
        } catch {
            throw report(CacheError(error, "look for an entry"))
        }
    }

    func read(_ key: DiskKey, in folder: CacheFolder) throws(CacheError) -> CacheEntry? {
        do {
            guard let shard = try folder.openShard(key.shard) else { return nil }
            defer { fileSystem.discard(shard) }
            guard let (file, status) = try open(key, in: shard) else { return nil }
            defer { fileSystem.discard(file) }
            guard let entry = try verified(file, status, key) else {
                count { $0.corrupted += 1 }
                return drop(key, status, in: folder)
            }
            guard !isExpired(entry.storedAt) else {
                count { $0.expired += 1 }
                return drop(key, status, in: folder)
            }
            let now = wallClock()
            if now.subtractingReportingOverflow(status.modified).partialValue.magnitude >= Self.touchInterval {
                // Only the order of eviction suffers when it fails.
                try? fileSystem.touch(file, now)
            }
            return entry
        } catch {
            throw CacheError(reading: error)
        }
    }

    /// The first of the folders that are only read with a whole entry under the key. What cannot be read is passed over.
    func readElsewhere(_ key: DiskKey) -> CacheEntry? {
        for folder in readOnlyFolders {
            let entry = try? folder.withShard(key.shard) { shard throws(SystemError) -> CacheEntry? in
                guard let (file, status) = try open(key, in: shard) else { return nil }
                defer { fileSystem.discard(file) }
                return try? verified(file, status, key)
            }
            if let entry { return entry }
        }
        return nil
    }

    private func open(_ key: DiskKey, in shard: Int32) throws(SystemError) -> (file: Int32, FileStatus)? {
        let file: Int32
        do {
            file = try fileSystem.openForReading(key.fileName, in: shard)
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
        do throws(SystemError) {
            let status = try fileSystem.status(of: file)
            if status.isRegular, status.size <= sizeLimit { return (file, status) }
        } catch {
            fileSystem.discard(file)
            throw error
        }
        fileSystem.discard(file)
        return nil
    }

    private func drop(_ key: DiskKey, _ status: FileStatus, in folder: CacheFolder) -> CacheEntry? {
        _ = try? remove(key.fileName, shard: key.shard, onlyInode: status.inode, in: folder)
        return nil
    }

    /// Nil unless the file is a whole entry of the key's, as it was written.
    private func verified(_ file: Int32, _ status: FileStatus, _ key: DiskKey) throws -> CacheEntry? {
        let bytes = try Bytes(capacity: status.size) { try fileSystem.readAll(file, into: $0, at: 0) }
        let trailer = bytes.count == status.size ? bytes.withUnsafeBytes { EntryTrailer(verifying: $0) } : nil
        guard let trailer, trailer.key == key.encoded else { return nil }
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

extension CacheError {
    fileprivate init(reading error: any Error) {
        if let error = error as? SystemError {
            self.init(error, "read an entry")
        } else {
            self.init(.outOfMemory, "Cannot read an entry: \(error)")
        }
    }
}
