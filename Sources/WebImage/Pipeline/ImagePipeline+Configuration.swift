public import ImageCaching
public import ImageCoding
public import ImageFetching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ImagePipeline {
    /// The parts of a pipeline. Each has a default, and each can be replaced by one of your own making.
    public struct Configuration: Sendable {
        /// Decoded pictures. Default: `ImageMemoryCache.standard()`, limited by the memory that this process may use. `nil`
        /// keeps none.
        public var memoryCache: ImageMemoryCache?

        /// Original bytes. Default: a cache in ``CacheDirectory/standard``. `nil` keeps none.
        public var diskCache: DiskCache?

        /// Caches behind the disk, asked before the origin is: one that several machines share, for example. What one of them
        /// has is copied into those before it and onto the disk; what comes from the origin goes to all, as their policies say,
        /// in the background. A tier that is slow or down is a miss. They keep the same bytes as the disk, but nothing that a
        /// shared cache may not keep (RFC 9111 §3). Default none.
        public var tiers: CacheTiers = []

        /// Gets bytes. Default: libcurl, files and data URLs, with an `Accept` header that names what can be decoded.
        public var fetcher: Fetcher

        /// Default: every coder of this package.
        public var coders: CoderRegistry

        /// How finished pictures are kept on disk, for requests that ask for it by ``CachePolicy/diskContent``. Default
        /// ``ResultEncoding/lossless``.
        public var resultEncoding = ResultEncoding.lossless

        /// Threads that decode. Default: one for each processor that this process may use.
        public var cpuThreads: Int

        /// Threads that read and write the disk cache. Default: 2.
        public var ioThreads: Int

        /// How many bytes may wait to be decoded or written. While there are more, no further ones are asked for. Default
        /// 64 MiB.
        public var undecodedByteLimit = 64 << 20

        /// Are told of every stage of every load. Default none, which costs nothing.
        public var observers: [any PipelineObserver] = []

        /// The clock behind timings. Default: the continuous clock.
        public var now: @Sendable () -> ContinuousClock.Instant

        /// The clock that says whether what is cached is still fresh: nanoseconds since 1970. Default: the system's.
        public var wallClock: @Sendable () -> Int64

        /// - Parameters:
        ///   - memoryCache: keeps pixels; `nil` for none.
        ///   - diskCache: keeps the originals' bytes; `nil` for none.
        ///   - coders: decides the default fetcher's `Accept` header too.
        ///   - fetcher: brings bytes; `nil`, the default, makes one that accepts what the coders decode and keeps bodies
        ///     that broke off in a folder `partial` beside the disk cache's own.
        public init(
            memoryCache: ImageMemoryCache? = .standard(), diskCache: DiskCache? = .standard,
            coders: CoderRegistry = .standard, fetcher: Fetcher? = nil
        ) {
            self.memoryCache = memoryCache
            self.diskCache = diskCache
            self.coders = coders
            self.fetcher =
                fetcher
                ?? Fetcher(
                    configuration: .accepting(coders.decodableFormats),
                    partials: diskCache.map { DiskPartialBodies(beside: $0.configuration) })
            cpuThreads = ProcessInfo.processInfo.activeProcessorCount
            ioThreads = 2
            now = { ContinuousClock.now }
            wallClock = WallClock.system
        }
    }
}

extension Fetcher.Configuration {
    /// The default configuration with an `Accept` header that names formats, best first in the order given, and then
    /// takes any picture and at last anything: the bytes decide (RFC 9110 §12.5.1).
    public static func accepting(_ formats: [ImageFormat]) -> Fetcher.Configuration {
        var seen: Set<String> = []
        // A server that negotiates does it for pictures of the web; others come by the general ranges.
        let types = formats.map(\.mediaType).filter { type in
            type.hasPrefix("image/") && !type.hasPrefix("image/x-") && !type.hasPrefix("image/vnd.")
                && seen.insert(type).inserted
        }
        var configuration = Fetcher.Configuration()
        configuration.accept = (types + ["image/*;q=0.8", "*/*;q=0.5"]).joined(separator: ",")
        return configuration
    }
}
