import ArgumentParser
import WebImage

extension CacheCommand {
    /// `webimage cache prune`
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune", abstract: "Remove what is too old or too much.",
            discussion: """
                Without options it does what a program's cache does by itself: pictures that were stored more than a week \
                ago go, for they are not given out any more, and when there is more than 1 GiB, those that nobody has \
                wanted for the longest time. With options what any of them says goes, and nothing else. What killed \
                programs have left half written goes in any case, after an hour.
                """)

        @OptionGroup var options: Options

        @Option(help: "Remove what was stored so long ago, however often it was used since: 3d, 12h, 1w2d.")
        var olderThan: DurationArgument?

        @Option(help: "Remove what was neither stored nor used for so long.")
        var unusedFor: DurationArgument?

        @Option(help: "Go down to this size, the longest unused first: 500MB, 1.5GiB.")
        var to: ByteCountArgument?

        /// The line of `--json`.
        struct Record: Encodable {
            let directory: String
            /// Stored too long ago.
            let expiredEntries: Int
            /// Others that were not used for too long.
            let unusedEntries: Int
            /// What was too much.
            let evictedEntries: Int
            let orphans: Int
            let freedBytes: Int
            /// What is left.
            let entries: Int
            let bytes: Int
        }

        func run() throws {
            let isPlain = olderThan == nil && unusedFor == nil && to == nil
            let cache = try options.cache { configuration in
                guard !isPlain else { return }
                configuration.maximumAge = unusedFor?.duration
                configuration.byteLimit = to?.bytes ?? .max
                configuration.lowWaterShare = 1
            }
            let age = isPlain ? cache.configuration.maximumAge : olderThan?.duration
            let old = try age.map { try removeStored(longerAgoThan: $0, in: cache) } ?? RemovalReport()
            let progress = WalkProgress(total: cache.statistics().entries, isOn: true)
            let report = try cache.sweep { progress.step() }
            progress.end()
            let left = cache.statistics()
            let record = Record(
                directory: options.directory, expiredEntries: old.entries, unusedEntries: report.expired,
                evictedEntries: report.evicted, orphans: report.orphans, freedBytes: old.bytes + report.freedBytes,
                entries: left.entries, bytes: left.bytes)
            if options.json { return try Output.json(record) }
            try Output.line(
                "\(record.directory): \(record.expiredEntries) too old, \(record.unusedEntries) unused, "
                    + "\(record.evictedEntries) too much, "
                    + "\(record.orphans) half written; \(Figures.bytes(record.freedBytes)) freed, "
                    + "\(Figures.count(record.entries, "picture")) and \(Figures.bytes(record.bytes)) left")
        }

        private func removeStored(longerAgoThan age: Duration, in cache: DiskCache) throws -> RemovalReport {
            let now = Duration.nanoseconds(DiskCache.systemClock())
            let progress = WalkProgress(total: cache.statistics().entries, isOn: true)
            defer { progress.end() }
            return try cache.removeEntries { entry in
                progress.step()
                return now - .nanoseconds(entry.storedAt) >= age
            }
        }
    }
}
