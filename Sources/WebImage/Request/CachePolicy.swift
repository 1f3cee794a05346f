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

    /// In which forms a picture is kept on disk.
    public struct DiskContent: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The bytes exactly as they came. Every size and every processing can be made of them.
        public static let originals = DiskContent(rawValue: 1)
        /// The picture as the request wants it, decoded, resized and processed, encoded as
        /// ``ImagePipeline/Configuration/resultEncoding`` says.
        public static let results = DiskContent(rawValue: 2)
        public static let all: DiskContent = [.originals, .results]
    }

    /// The cache of decoded pictures in memory. Default: read and write.
    public var memory: Access
    /// The cache on disk; it keeps what came over the network only. Default: read and write.
    public var disk: Access
    /// What a load leaves on disk, where ``disk`` lets it write. Default: the original bytes.
    ///
    /// A result is looked for before the original, and only by requests that keep results. It is used as long as HTTP
    /// would let the original be used; then it is made anew. One that was made from a result is not encoded again, so
    /// that no loss adds up. Tiers behind the disk get originals only.
    public var diskContent: DiskContent = .originals
    /// When something that is cached may be used. Default `FreshnessRule.standard`: as HTTP says.
    public var rule: FreshnessRule

    /// How many times wider and higher than wanted a picture in memory may be to answer the request. Default 1: only
    /// what was made for the very same size does.
    ///
    /// With 2, pixels that were decoded to be 400 wide are shown where 200 were asked for, and nothing is read or
    /// decoded; whoever draws them scales. The exact size comes first if it is there, then the smallest that fits. A
    /// cropped picture answers only for the same part of the original, and requests with processing, where a radius or a
    /// border is in pixels, have no other answer than their own.
    public var acceptedOversize: Double = 1

    /// For how long the picture that the request loads stays in memory at most. Default `nil`: until there is no room.
    ///
    /// This comes on top of ``rule``, which says when it may be used. Of requests that share one load the first one's
    /// counts.
    public var memoryLifetime: Duration?

    public init(
        memory: Access = .all, disk: Access = .all, diskContent: DiskContent = .originals,
        rule: FreshnessRule = .standard, acceptedOversize: Double = 1, memoryLifetime: Duration? = nil
    ) {
        self.memory = memory
        self.disk = disk
        self.diskContent = diskContent
        self.rule = rule
        self.acceptedOversize = acceptedOversize
        self.memoryLifetime = memoryLifetime
    }

    /// Asks the origin again, unconditionally, and keeps what it answers.
    public static let reload = CachePolicy(memory: .write, disk: .write, rule: .networkOnly)

    /// Neither reads nor leaves anything.
    public static let bypass = CachePolicy(memory: [], disk: [])
}
