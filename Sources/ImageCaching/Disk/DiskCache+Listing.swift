extension DiskCache {
    /// Calls `body` with every entry, shard by shard, until it returns false. Payloads are neither read nor checked;
    /// files that are no entries are left out.
    ///
    /// - Throws: ``CacheError`` when the folder cannot be opened.
    public func forEachEntry(_ body: (CacheEntrySummary) -> Bool) throws(CacheError) {
        let folder = try folder()
        for shard in 0..<UsageCounter.shardCount {
            guard let directory = try? folder.openShard(shard) else { continue }
            defer { fileSystem.discard(directory) }
            for name in (try? fileSystem.names(in: directory)) ?? [] where name.utf8.count == 64 {
                if let summary = try? summary(name, in: directory), !body(summary) { return }
            }
        }
    }

    private func summary(_ name: String, in directory: Int32) throws(SystemError) -> CacheEntrySummary? {
        let file = try fileSystem.openForReading(name, in: directory)
        defer { fileSystem.discard(file) }
        let status = try fileSystem.status(of: file)
        guard status.isRegular, status.size >= EntryTrailer.footerSize else { return nil }
        let end = try bytes(of: file, from: status.size - EntryTrailer.footerSize, count: EntryTrailer.footerSize)
        let footer = end.withUnsafeBytes { EntryTrailer.Footer($0, fileSize: status.size) }
        guard let footer else { return nil }
        let description = try bytes(of: file, from: footer.payloadCount, count: footer.keyCount + footer.metadataCount)
        guard let trailer = description.withUnsafeBytes({ EntryTrailer(footer, description: $0) }) else { return nil }
        return CacheEntrySummary(
            key: trailer.key, fileName: name, byteCount: trailer.payloadCount, metadata: trailer.metadata,
            storedAt: trailer.storedAt, lastUsed: status.modified)
    }

    /// - Parameter count: bounded by the trailer's limit.
    private func bytes(of file: Int32, from offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var failure: SystemError?
        var done = 0
        bytes.withUnsafeMutableBytes { room in
            do throws(SystemError) { done = try fileSystem.readAll(file, into: room, at: offset) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return Array(bytes.prefix(done))
    }
}
