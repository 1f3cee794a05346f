import ArgumentParser
import WebImage

/// Which cache on disk a command works with.
struct CacheLocation: ParsableArguments {
    @Option(help: "The cache's folder. By default \(CacheDirectory.standard).")
    var cacheDir: String?

    @Option(help: "A namespace in it: pictures that are kept apart from all others.")
    var namespace: String?

    var configuration: DiskCache.Configuration {
        var configuration = cacheDir.map { DiskCache.Configuration(directory: $0) } ?? CacheDirectory.configuration
        configuration.namespace = namespace
        return configuration
    }
}
