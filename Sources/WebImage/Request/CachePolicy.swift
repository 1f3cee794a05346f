public import ImageFetching

/// Which caches a request reads and writes, and by which rule.
public struct CachePolicy: Hashable, Sendable {
    /// What may be done with one cache.
    public struct Access: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let read = Access(rawValue: 1)
        public static let write = Access(rawValue: 2)
        public static let all: Access = [.read, .write]
    }

    /// The cache of decoded pictures in memory. Default: read and write.
    public var memory: Access
    /// The cache of original bytes on disk; it keeps what came over the network only. Default: read and write.
    public var disk: Access
    /// When something that is cached may be used. Default `FreshnessRule.standard`: as HTTP says.
    public var rule: FreshnessRule

    public init(memory: Access = .all, disk: Access = .all, rule: FreshnessRule = .standard) {
        self.memory = memory
        self.disk = disk
        self.rule = rule
    }

    /// Asks the origin again, unconditionally, and keeps what it answers.
    public static let reload = CachePolicy(memory: .write, disk: .write, rule: .networkOnly)

    /// Neither reads nor leaves anything.
    public static let bypass = CachePolicy(memory: [], disk: [])
}
