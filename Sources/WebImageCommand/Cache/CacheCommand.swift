import ArgumentParser
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `webimage cache`
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Look after the pictures that are kept on disk.",
        subcommands: [
            Statistics.self, List.self, Show.self, Remove.self, Prune.self, Clear.self, Verify.self,
        ])

    /// What all of them take.
    struct Options: ParsableArguments {
        @OptionGroup var location: CacheLocation

        @Flag(help: "Print one JSON object a line.")
        var json = false

        /// The folder of the cache, or of the namespace in it.
        var directory: String { location.configuration.path }

        /// The cache that is there. None is made: to look after what is not there is a mistake in the path.
        ///
        /// - Parameter change: sets what is not as usual.
        func cache(_ change: (inout DiskCache.Configuration) -> Void = { _ in }) throws(Missing) -> DiskCache {
            var isFolder = false
            guard FileManager.default.fileExists(atPath: "\(directory)/v1", isDirectory: &isFolder), isFolder else {
                throw Missing(directory: directory)
            }
            var configuration = location.configuration
            change(&configuration)
            return DiskCache(configuration)
        }
    }

    /// Nothing was ever cached there.
    struct Missing: Error, CustomStringConvertible {
        let directory: String

        var description: String { "no cache at \(directory)" }
    }
}
