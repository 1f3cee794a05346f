import WebImage

extension ImagePipeline {
    /// A pipeline as the command line says. Warnings go to standard error.
    ///
    /// - Parameter onWarning: hears of them too.
    static func forCommand(
        _ options: FetchingOptions, onWarning: @escaping @Sendable (CacheWarning) -> Void = { _ in }
    ) -> ImagePipeline {
        let disk = DiskCache(
            options.cache.configuration,
            onWarning: { warning in
                Output.note("webimage: warning: \(warning)")
                onWarning(warning)
            })
        var fetching = Fetcher.Configuration.accepting(CoderRegistry.standard.decodableFormats)
        fetching.maxConcurrentDownloads = options.concurrency
        fetching.retry = RetryPolicy(maxAttempts: options.retry + 1)
        return ImagePipeline(
            configuration: Configuration(diskCache: disk, fetcher: Fetcher(configuration: fetching)))
    }

    /// Does work, and brings what was loaded to the disk also when the work ends with an error.
    func finishingWrites<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            let result = try await work()
            await finishWrites()
            return result
        } catch {
            await finishWrites()
            throw error
        }
    }
}
