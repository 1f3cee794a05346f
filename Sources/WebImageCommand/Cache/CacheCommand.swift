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
        subcommands: [Statistics.self, List.self, Clear.self])

    /// What all three take.
    struct Options: ParsableArguments {
        @Option(help: "The cache's folder. By default \(CacheDirectory.standard).")
        var cacheDir: String?

        @Flag(help: "Print one JSON object a line.")
        var json = false

        var directory: String { cacheDir ?? CacheDirectory.standard }

        /// The cache that is there. None is made: to look after what is not there is a mistake in the path.
        func cache() throws(Missing) -> DiskCache {
            var isFolder = false
            guard FileManager.default.fileExists(atPath: "\(directory)/v1", isDirectory: &isFolder), isFolder else {
                throw Missing(directory: directory)
            }
            return DiskCache(DiskCache.Configuration(directory: directory))
        }
    }
}

extension CacheCommand {
    /// Nothing was ever cached there.
    struct Missing: Error, CustomStringConvertible {
        let directory: String

        var description: String { "no cache at \(directory)" }
    }
}

extension CacheCommand {
    /// `webimage cache stats`
    struct Statistics: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "Say how many pictures are kept and how much room they take.")

        @OptionGroup var options: Options

        /// The line of `--json`.
        struct Record: Encodable {
            let directory: String
            let entries: Int
            /// What the entries take on the disk.
            let bytes: Int
            let byteLimit: Int
        }

        func run() throws {
            let statistics = try options.cache().statistics()
            let record = Record(
                directory: options.directory, entries: statistics.entries, bytes: statistics.bytes,
                byteLimit: statistics.byteLimit)
            if options.json { return try Output.json(record) }
            let pictures = record.entries == 1 ? "picture" : "pictures"
            try Output.line(
                "\(record.directory): \(record.entries) \(pictures), \(Figures.bytes(record.bytes)) of "
                    + Figures.bytes(record.byteLimit))
        }
    }

    /// `webimage cache list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the pictures that are kept.")

        @OptionGroup var options: Options

        /// One line of `--json`.
        struct Record: Encodable {
            /// Without user, password and query.
            let url: String
            let bytes: Int
            let mediaType: String?
            /// Seconds since 1970.
            let storedAt: Int
            let lastUsed: Int
            let file: String
        }

        func run() throws {
            var table = Table([("BYTES", .right), ("TYPE", .left), ("URL", .left)])
            var failure: (any Error)?
            try options.cache().forEachEntry { entry in
                let record = Record(entry)
                if options.json {
                    do { try Output.json(record) } catch { failure = error }
                } else {
                    table.append([Figures.bytes(record.bytes), record.mediaType ?? "", record.url])
                }
                return failure == nil
            }
            if let failure { throw failure }
            if !options.json { for line in table.lines { try Output.line(line) } }
        }
    }

    /// `webimage cache clear`
    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Remove all pictures that are kept.")

        @OptionGroup var options: Options

        /// The line of `--json`.
        struct Record: Encodable {
            let directory: String
            let removedEntries: Int
        }

        func run() throws {
            let cache = try options.cache()
            let record = Record(directory: options.directory, removedEntries: cache.statistics().entries)
            try cache.removeAll()
            if options.json { return try Output.json(record) }
            try Output.line("\(record.directory): \(record.removedEntries) removed")
        }
    }
}

extension CacheCommand.List.Record {
    init(_ entry: CacheEntrySummary) {
        url = entry.metadata["url"] ?? ""
        bytes = entry.byteCount
        mediaType = entry.metadata["content-type"]
        storedAt = Int(entry.storedAt / 1_000_000_000)
        lastUsed = Int(entry.lastUsed / 1_000_000_000)
        file = entry.fileName
    }
}
