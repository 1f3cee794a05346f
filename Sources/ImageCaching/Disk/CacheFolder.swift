import ByteBuffers

/// The open folders of a cache: `DIR/v1`, its shards `00` … `ff`, `tmp` for what is being written, and the counters.
///
/// Folders are reached through descriptors and without following links, so nothing leads out of the cache. When the
/// folder is removed under us, ``isGone`` tells, and a new one is opened in its place.
final class CacheFolder: Sendable {
    let fileSystem: any FileSystem
    let root: Int32
    let temporary: Int32
    /// Nil where the folder can only be read.
    let usage: UsageCounter?
    private let usageFile: Int32

    init(opening configuration: DiskCache.Configuration, _ fileSystem: any FileSystem) throws(SystemError) {
        self.fileSystem = fileSystem
        var folder = try fileSystem.openRoot(configuration.directory, isPrivate: configuration.requiresPrivateDirectory)
        for name in configuration.folders + ["v1"] {
            let outer = folder
            defer { fileSystem.discard(outer) }
            folder = try Self.openOrMake(name, in: outer, fileSystem)
        }
        root = folder
        do {
            temporary = try Self.openOrMake("tmp", in: root, fileSystem)
        } catch {
            fileSystem.discard(root)
            throw error
        }
        let counters = try? Self.openUsage(in: root, temporary, fileSystem)
        usageFile = counters?.file ?? -1
        usage = counters?.usage
        if let usage, counters?.isNew == true { measureAll(usage) }
    }

    deinit {
        for descriptor in [root, temporary, usageFile] where descriptor >= 0 { fileSystem.discard(descriptor) }
    }

    /// Whether the folder, or the file of the counters, was removed, replaced or cut short since it was opened.
    var isGone: Bool {
        if usage?.isLost == true { return true }
        return [root, usageFile].contains { descriptor in
            guard descriptor >= 0, let status = try? fileSystem.status(of: descriptor) else { return true }
            return status.linkCount == 0 || (descriptor == usageFile && status.size != UsageCounter.size)
        }
    }

    static func shardName(_ shard: Int) -> String {
        let digits = String(shard, radix: 16)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }

    func openOrMakeShard(_ shard: Int) throws(SystemError) -> Int32 {
        try Self.openOrMake(Self.shardName(shard), in: root, fileSystem)
    }

    /// Nil where there is no such shard yet.
    func openShard(_ shard: Int) throws(SystemError) -> Int32? {
        do {
            return try fileSystem.openDirectory(Self.shardName(shard), in: root)
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
    }

    /// Changes a shard and its numbers together, see ``UsageCounter/update(_:_:)``.
    func counting(_ shard: Int, _ change: () throws(SystemError) -> UsageCounter.Usage) throws(SystemError) {
        if let usage { try usage.update(shard, change) } else { _ = try change() }
    }

    struct Listed {
        let name: String
        let shard: Int
        let status: FileStatus
    }

    /// The entries of a shard; other files are not looked at.
    func list(_ shard: Int) -> [Listed] {
        guard let directory = try? openShard(shard) else { return [] }
        defer { fileSystem.discard(directory) }
        let names = (try? fileSystem.names(in: directory)) ?? []
        return names.compactMap { name in
            guard name.utf8.count == 64, let status = try? fileSystem.status(of: name, in: directory), status.isRegular
            else { return nil }
            return Listed(name: name, shard: shard, status: status)
        }
    }

    /// Makes a file in the folder for temporary files, under a name that no other has.
    func makeTemporary() throws(SystemError) -> (name: String, file: Int32) {
        while true {
            let name = TemporaryName.next()
            do {
                return (name, try fileSystem.create(name, in: temporary))
            } catch  where error.isExisting {
                continue
            }
        }
    }

    private func measureAll(_ usage: UsageCounter) {
        for shard in 0..<UsageCounter.shardCount {
            let before = usage[shard]
            usage.correct(shard, from: before, to: UsageCounter.Usage(list(shard)))
        }
    }

    private static func openOrMake(
        _ name: String, in parent: Int32, _ fileSystem: any FileSystem
    ) throws(SystemError) -> Int32 {
        do {
            return try fileSystem.openDirectory(name, in: parent)
        } catch  where error.isNotFound {
            do {
                try fileSystem.makeDirectory(name, in: parent)
            } catch  where error.isExisting {
                // Another thread or process was faster.
            }
            return try fileSystem.openDirectory(name, in: parent)
        }
    }

    private static func openUsage(
        in root: Int32, _ temporary: Int32, _ fileSystem: any FileSystem
    ) throws(SystemError) -> (file: Int32, usage: UsageCounter, isNew: Bool) {
        if let (file, usage) = try? attachUsage(in: root, fileSystem) { return (file, usage, false) }
        let name = TemporaryName.next()
        let file = try fileSystem.create(name, in: temporary)
        do throws(SystemError) {
            defer { fileSystem.discard(file) }
            try Bytes(UsageCounter.initialBytes).withUnsafeBytes { bytes throws(SystemError) in
                try fileSystem.writeAll(file, bytes)
            }
            try fileSystem.rename(name, in: temporary, to: UsageCounter.fileName, in: root)
        } catch {
            try? fileSystem.remove(name, in: temporary)
            throw error
        }
        // By its name: another process may just have put its own file there.
        let (attached, usage) = try attachUsage(in: root, fileSystem)
        return (attached, usage, true)
    }

    private static func attachUsage(
        in root: Int32, _ fileSystem: any FileSystem
    ) throws(SystemError) -> (Int32, UsageCounter) {
        let file = try fileSystem.openForUpdating(UsageCounter.fileName, in: root)
        do throws(SystemError) {
            let status = try fileSystem.status(of: file)
            guard status.isRegular, status.size == UsageCounter.size else { throw SystemError.damaged }
            return (file, try UsageCounter(file: file))
        } catch {
            fileSystem.discard(file)
            throw error
        }
    }
}

extension UsageCounter.Usage {
    init(_ listed: [CacheFolder.Listed]) {
        self.init(bytes: listed.reduce(0) { $0 &+ $1.status.footprint }, entries: listed.count)
    }
}
