import Synchronization

/// A cache's folder that is only looked into: it is opened when it is first needed, and again where it was not there.
final class ReadOnlyFolder: Sendable {
    private let path: String
    private let fileSystem: any FileSystem
    private let root = Mutex<Int32?>(nil)

    init(_ path: String, _ fileSystem: any FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
    }

    deinit {
        if let root = root.withLock({ $0 }) { fileSystem.discard(root) }
    }

    /// Calls `body` with the open shard; nil where there is none.
    func withShard<Result: Sendable>(
        _ shard: Int, _ body: (Int32) throws(SystemError) -> Result?
    ) throws(SystemError) -> Result? {
        do throws(SystemError) {
            let directory = try fileSystem.openDirectory(CacheFolder.shardName(shard), in: try opened())
            defer { fileSystem.discard(directory) }
            return try body(directory)
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
    }

    private func opened() throws(SystemError) -> Int32 {
        try root.withLock { root throws(SystemError) in
            if let root { return root }
            let outer = try fileSystem.openExisting(path)
            defer { fileSystem.discard(outer) }
            let opened = try fileSystem.openDirectory("v1", in: outer)
            root = opened
            return opened
        }
    }
}
