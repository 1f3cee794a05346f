import SystemThreads

extension DiskCache {
    /// Where a disk cache lives and how much it may hold.
    public struct Configuration: Hashable, Sendable {
        /// The folder's path. It and its parents are made when they are missing. The cache keeps to `v1` inside it, or to
        /// the folder of its ``namespace``.
        public var directory: String

        /// A cache of its own inside ``directory``, with its own entries, counts and limits: the pictures of one account,
        /// for example, that go when it is signed out. Any text; the bytes of its UTF-8 count, and what they are in a
        /// file's name is for the cache to say. By default nil, the entries outside of all namespaces.
        public var namespace: String?

        /// Refuses ``directory`` with `EPERM` when it is a link, belongs to another user, or when others may write into
        /// it: for a folder in one that everybody may write into and nobody may take from, like `/tmp`. Default false.
        public var requiresPrivateDirectory = false

        /// What all entries together may take on the disk, each counted in whole blocks of 4 KiB. 1 GiB by default.
        /// It is passed by one entry for each thread that stores, for the time that a sweep takes.
        public var byteLimit = 1 << 30

        /// What has to stay free on the file system for others, in bytes: where less is free, entries go as if
        /// ``byteLimit`` were that much lower. By default nil: 5 % of the file system, at most 256 MiB.
        public var freeSpaceFloor: Int?

        /// How far a sweep goes down when there is too much, as a share of ``byteLimit``. 0.9 by default; values are
        /// cut to 0.1…1.
        public var lowWaterShare = 0.9

        /// Folders of other caches that are only read, in their order, where ``directory`` has nothing: pictures that come
        /// with a program, for example. They hold what a cache with such a ``directory`` has written. Nothing in them is
        /// counted, touched, removed or made, and their age does not matter. Default none.
        public var readOnlyDirectories: [String] = []

        /// The largest entry that is stored or read, in bytes. 256 MiB by default. A single entry never takes more
        /// than the low-water mark either.
        public var maximumEntryBytes = 256 << 20

        /// How long after it was stored an entry is given out. Seven days by default; nil for ever.
        public var maximumAge: Duration? = .seconds(7 * 24 * 60 * 60)

        public init(directory: String) {
            self.directory = directory
        }

        /// A folder inside the namespace's for another cache that belongs to this one; nil is the cache itself.
        package var part: String?

        /// The way from ``directory`` to the folder that has `v1`.
        var folders: [String] {
            (namespace.map { [NamespaceFolder.parent, NamespaceFolder.name(of: $0)] } ?? []) + (part.map { [$0] } ?? [])
        }

        /// The path of the folder that has `v1`: ``directory``, or the namespace's folder inside it.
        package var path: String { ([directory] + folders).joined(separator: "/") }

        /// The most bytes that entries may take where they take `used` now, and the mark that a sweep goes down to.
        func bounds(used: Int, on space: FileSystemSpace?) -> (limit: Int, lowWater: Int) {
            guard let space else { return (byteLimit, lowWater(of: byteLimit)) }
            let floor = max(0, freeSpaceFloor ?? min(space.total / 20, 256 << 20))
            // Bytes in entries could be free bytes: neither sum can pass what a file system holds, but both are outside
            // numbers.
            let (sum, overflow) = max(0, used).addingReportingOverflow(max(0, space.available))
            let limit = min(byteLimit, max(0, (overflow ? .max : sum) - floor))
            return (limit, lowWater(of: limit))
        }

        var lowWater: Int { lowWater(of: byteLimit) }

        private func lowWater(of byteLimit: Int) -> Int {
            // Not every limit is a Double: the largest ones round up past the largest Int.
            let share = lowWaterShare.isNaN ? 0.9 : min(max(lowWaterShare, 0.1), 1)
            return Int(exactly: (Double(max(0, byteLimit)) * share).rounded(.down)).map { min($0, byteLimit) }
                ?? byteLimit
        }

        /// In nanoseconds.
        var lifetime: Int64? {
            maximumAge.map { max(0, $0.clampedNanoseconds) }
        }
    }
}
