public import ByteBuffers
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Bytes on the disk under keys, shared by threads and processes.
///
/// The file system is the index: one file for each entry, in one of 256 folders, named by the SHA-256 of its key. A hit
/// is one open and one read, a miss one failed open. A new entry is written to a temporary file and renamed, so nobody
/// ever sees half of one; the last rename under a key wins. A checksum over the whole file finds what rotted. Nothing
/// is forced to the disk: after a power cut the latest entries may be gone, but none is given out damaged.
///
/// Every call does file I/O and blocks; make them on threads that may wait.
///
/// When the folder cannot be used, calls throw, the first time with a ``CacheWarning``, and the cache recovers by
/// itself as soon as it can.
public final class DiskCache: Sendable {
    public let configuration: Configuration
    let fileSystem: any FileSystem
    let wallClock: @Sendable () -> Int64
    private let onWarning: @Sendable (CacheWarning) -> Void
    private let state = Mutex(State())
    /// One for every sixteen shards: what is under a name, and its count, change together.
    private let nameLocks = (0..<16).map { _ in NameLock() }
    let isSweeping = Atomic<Bool>(false)
    let readOnlyFolders: [ReadOnlyFolder]

    private struct State {
        var folder: CacheFolder?
        var isFailing = false
        /// By the wall clock; `nil` before the first.
        var lastWarning: Int64?
        var statistics = DiskStatistics()
    }

    private final class NameLock: Sendable {
        let mutex = Mutex(())
    }

    /// Touches no file: the folder is opened, or made, by the first call that needs it.
    ///
    /// - Parameters:
    ///   - wallClock: nanoseconds since 1970; the system's clock by default.
    ///   - onWarning: called when the cache stops working, once until it works again and no more than once in
    ///     five minutes, on the thread that found out.
    public convenience init(
        _ configuration: Configuration,
        wallClock: @escaping @Sendable () -> Int64 = DiskCache.systemClock,
        onWarning: @escaping @Sendable (CacheWarning) -> Void = { _ in }
    ) {
        self.init(configuration, fileSystem: PosixFileSystem(), wallClock: wallClock, onWarning: onWarning)
    }

    package init(
        _ configuration: Configuration, fileSystem: any FileSystem,
        wallClock: @escaping @Sendable () -> Int64, onWarning: @escaping @Sendable (CacheWarning) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.fileSystem = fileSystem
        self.wallClock = wallClock
        self.onWarning = onWarning
        readOnlyFolders = configuration.readOnlyDirectories.map { ReadOnlyFolder($0, fileSystem) }
    }

    /// The system's clock, in nanoseconds since 1970.
    public static let systemClock: @Sendable () -> Int64 = {
        var now = timespec()
        // Fails for an unknown clock only; zero, 1970, would be the answer.
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// What is stored under the key. Missing, expired and damaged entries are nil; the latter two are removed.
    ///
    /// - Throws: ``CacheError`` when the folder or the file cannot be read.
    public func entry(for key: DiskKey) throws(CacheError) -> CacheEntry? {
        var entry: CacheEntry?
        do throws(CacheError) {
            entry = try ownEntry(for: key)
        } catch {
            entry = readElsewhere(key)
            if entry == nil { throw error }
        }
        if entry == nil { entry = readElsewhere(key) }
        count { statistics in
            if entry == nil { statistics.misses += 1 } else { statistics.hits += 1 }
        }
        return entry
    }

    /// What the cache's own folder has under the key.
    func ownEntry(for key: DiskKey) throws(CacheError) -> CacheEntry? {
        let folder = try folder()
        do {
            let entry = try read(key, in: folder)
            if entry == nil, folder.isGone { forget(folder) }
            return entry
        } catch {
            throw report(error)
        }
    }

    /// Stores a payload in the place of any other under the key.
    ///
    /// - Throws: ``CacheError``. Then nothing of it is left, and what was under the key before still is.
    public func store(
        _ payload: Bytes, metadata: EntryMetadata = [:], for key: DiskKey
    ) throws(CacheError) {
        do {
            try write(payload, metadata, key)
        } catch  where error.systemCode == ENOENT {
            // The folder was removed on the way; there is a new one by now.
            try write(payload, metadata, key)
        }
    }

    /// Starts an entry whose payload comes in pieces. It is not seen before ``DiskCacheWriter/commit(metadata:)``.
    ///
    /// - Throws: ``CacheError``.
    public func makeWriter(for key: DiskKey) throws(CacheError) -> DiskCacheWriter {
        let folder = try freshFolder()
        do {
            return try DiskCacheWriter(key, folder: folder, cache: self)
        } catch {
            forget(folder)
            throw report(error)
        }
    }

    /// Removes the entry under the key, if there is one.
    ///
    /// - Throws: ``CacheError`` when it is there and stays.
    public func remove(_ key: DiskKey) throws(CacheError) {
        let folder = try folder()
        do {
            try remove(key.fileName, shard: key.shard, onlyInode: nil, in: folder)
        } catch {
            throw report(CacheError(error, "remove an entry"))
        }
    }

    /// Figures of this instance and of the folder.
    public func statistics() -> DiskStatistics {
        let usage = (try? freshFolder())?.usage?.total
        var statistics = state.withLock { $0.statistics }
        statistics.entries = usage?.entries ?? 0
        statistics.bytes = usage?.bytes ?? 0
        statistics.byteLimit = configuration.byteLimit
        return statistics
    }

    private func write(_ payload: Bytes, _ metadata: EntryMetadata, _ key: DiskKey) throws(CacheError) {
        let writer = try makeWriter(for: key)
        try payload.withUnsafeBytes { bytes throws(CacheError) in try writer.append(bytes) }
        try writer.commit(metadata: metadata)
    }
}

// MARK: Names and counts

extension DiskCache {
    /// Gives a finished temporary file its name and counts it.
    func commit(_ temporary: String, size: Int, _ key: DiskKey, in folder: CacheFolder) throws(CacheError) {
        do {
            let shard = try folder.openOrMakeShard(key.shard)
            defer { fileSystem.discard(shard) }
            try nameLocks[key.shard / 16].mutex.withLock { _ throws(SystemError) in
                try folder.counting(key.shard) { () throws(SystemError) in
                    let old = try? fileSystem.status(of: key.fileName, in: shard)
                    try fileSystem.rename(temporary, in: folder.temporary, to: key.fileName, in: shard)
                    return UsageCounter.Usage(
                        bytes: FileStatus.footprint(of: size) - (old?.footprint ?? 0), entries: old == nil ? 1 : 0)
                }
            }
        } catch {
            throw CacheError(error, "give an entry its name")
        }
        state.withLock { state in
            state.isFailing = false
            state.statistics.stores += 1
        }
        enforceLimit(in: folder)
    }

    /// - Parameter onlyInode: the file that is meant; another that has the name by now is left alone.
    /// - Returns: what the entry took on the disk, nil if it was not there.
    @discardableResult
    func remove(
        _ name: String, shard: Int, onlyInode: UInt64?, in folder: CacheFolder
    ) throws(SystemError) -> Int? {
        guard let directory = try folder.openShard(shard) else { return nil }
        defer { fileSystem.discard(directory) }
        return try nameLocks[shard / 16].mutex.withLock { _ throws(SystemError) -> Int? in
            do throws(SystemError) {
                var footprint: Int?
                try folder.counting(shard) { () throws(SystemError) in
                    let status = try fileSystem.status(of: name, in: directory)
                    if let onlyInode, status.inode != onlyInode { return UsageCounter.Usage() }
                    try fileSystem.remove(name, in: directory)
                    footprint = status.footprint
                    return UsageCounter.Usage(bytes: -status.footprint, entries: -1)
                }
                return footprint
            } catch  where error.isNotFound {
                return nil
            }
        }
    }

    func count(_ change: (inout DiskStatistics) -> Void) {
        state.withLock { change(&$0.statistics) }
    }
}

// MARK: The folder and its failures

extension DiskCache {
    /// The open folder, opened now if need be.
    func folder() throws(CacheError) -> CacheFolder {
        if let folder = state.withLock({ $0.folder }) { return folder }
        do {
            let opened = try CacheFolder(opening: configuration, fileSystem)
            return state.withLock { state in
                let folder = state.folder ?? opened
                state.folder = folder
                return folder
            }
        } catch {
            let condition =
                configuration.requiresPrivateDirectory ? ", which has to be this user's alone and no link" : ""
            throw report(CacheError(error, "open the cache's folder \(configuration.path)\(condition)"))
        }
    }

    /// The open folder, or a new one where it was removed.
    func freshFolder() throws(CacheError) -> CacheFolder {
        let folder = try folder()
        guard folder.isGone else { return folder }
        forget(folder)
        return try self.folder()
    }

    func forget(_ folder: CacheFolder) {
        state.withLock { state in
            if state.folder === folder { state.folder = nil }
        }
    }

    /// In nanoseconds.
    private static let warningInterval: Int64 = 300 * 1_000_000_000

    /// Warns when this is the first failure since the cache worked. Too large an entry is no failure of the cache.
    func report(_ error: CacheError) -> CacheError {
        guard error.code != .tooLarge else { return error }
        let now = wallClock()
        let isNews = state.withLock { state in
            // A disk that is nearly full takes small entries and refuses large ones: that is one failure, not many.
            let isSoon = state.lastWarning.map { (0..<Self.warningInterval).contains(now &- $0) } ?? false
            guard !state.isFailing, !isSoon else { return false }
            state.isFailing = true
            state.lastWarning = now
            return true
        }
        if isNews { onWarning(CacheWarning(directory: configuration.path, error: error)) }
        return error
    }
}

extension DiskKey {
    /// The number of the shard folder, from the name's first two digits.
    var shard: Int { Int(fileName.prefix(2), radix: 16) ?? 0 }
}
