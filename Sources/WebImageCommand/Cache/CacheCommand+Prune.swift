import ArgumentParser
import WebImage

extension CacheCommand {
    /// `webimage cache prune`
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune", abstract: "Remove what is too old or too much.",
            discussion: """
                Without options it does what a program's cache does by itself: pictures of more than a week go, and when \
                there is more than 1 GiB, those that nobody has wanted for the longest time. With options only what they \
                say goes. What killed programs have left half written goes in any case, after an hour.
                """)

        @OptionGroup var options: Options

        @Option(help: "Remove what was neither stored nor used for so long: 3d, 12h, 1w2d.")
        var olderThan: DurationArgument?

        @Option(help: "Go down to this size, the longest unused first: 500MB, 1.5GiB.")
        var to: ByteCountArgument?

        /// The line of `--json`.
        struct Record: Encodable {
            let directory: String
            let expiredEntries: Int
            let evictedEntries: Int
            let orphans: Int
            let freedBytes: Int
            /// What is left.
            let entries: Int
            let bytes: Int
        }

        func run() throws {
            let cache = try options.cache { configuration in
                guard olderThan != nil || to != nil else { return }
                configuration.maximumAge = olderThan?.duration
                configuration.byteLimit = to?.bytes ?? .max
                configuration.lowWaterShare = 1
            }
            let report = try cache.sweep()
            let left = cache.statistics()
            let record = Record(
                directory: options.directory, expiredEntries: report.expired, evictedEntries: report.evicted,
                orphans: report.orphans, freedBytes: report.freedBytes, entries: left.entries, bytes: left.bytes)
            if options.json { return try Output.json(record) }
            try Output.line(
                "\(record.directory): \(record.expiredEntries) too old, \(record.evictedEntries) too much, "
                    + "\(record.orphans) half written; \(Figures.bytes(record.freedBytes)) freed, "
                    + "\(Figures.count(record.entries, "picture")) and \(Figures.bytes(record.bytes)) left")
        }
    }
}
