import ArgumentParser
import WebImage

extension CacheCommand {
    /// `webimage cache clear`
    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Remove all pictures that are kept.")

        @OptionGroup var options: Options

        /// The line of `--json`.
        struct Record: Encodable {
            let directory: String
            let removedEntries: Int
            let freedBytes: Int
        }

        func run() throws {
            let cache = try options.cache()
            let progress = WalkProgress(total: cache.statistics().entries, isOn: true)
            let report = try cache.removeAll { progress.step() }
            progress.end()
            let record = Record(
                directory: options.directory, removedEntries: report.entries, freedBytes: report.bytes)
            if options.json { return try Output.json(record) }
            try Output.line(
                "\(record.directory): \(Figures.count(record.removedEntries, "picture")) removed, "
                    + "\(Figures.bytes(record.freedBytes)) freed")
        }
    }
}
