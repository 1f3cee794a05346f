import WebImage

extension ImagePipeline {
    /// A pipeline with the cache folder and the number of downloads of the command line. Warnings go to standard error.
    static func forCommand(cacheDirectory: String?, concurrency: Int = 6) -> ImagePipeline {
        let disk = DiskCache(
            DiskCache.Configuration(directory: cacheDirectory ?? CacheDirectory.standard),
            onWarning: { Output.note("webimage: warning: \($0)") })
        var fetching = Fetcher.Configuration.accepting(CoderRegistry.standard.decodableFormats)
        fetching.maxConcurrentDownloads = concurrency
        return ImagePipeline(
            configuration: Configuration(diskCache: disk, fetcher: Fetcher(configuration: fetching)))
    }
}
