import ArgumentParser
import WebImage

extension CacheCommand {
    /// `webimage cache remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove the pictures of some addresses or hosts.",
            discussion: """
                A URL stands for all that is stored for it, query, variants and all. The exit code is 1 when something was \
                named of which nothing is kept; all the rest is removed even so.
                """)

        @OptionGroup var options: Options

        @Argument(help: "URLs, or names of entries' files.")
        var entries: [String] = []

        @Option(
            help: "A host alone, example.com, whose pictures go, and those of all hosts below it; as often as needed.")
        var host: [String] = []

        func validate() throws {
            if entries.isEmpty, host.isEmpty { throw ValidationError("Name what is to go: a URL, or --host.") }
            _ = try EntrySelection(entries, hosts: host)
        }

        /// The line of `--json`.
        struct Record: Encodable {
            let directory: String
            let removedEntries: Int
            let freedBytes: Int
            /// What was named and is not kept.
            let missing: [String]
        }

        func run() throws {
            var selection = try EntrySelection(entries, hosts: host)
            let cache = try options.cache { $0.maximumAge = nil }
            let progress = WalkProgress(total: cache.statistics().entries, isOn: true)
            let report = try cache.removeEntries { entry in
                progress.step()
                return selection.contains(entry)
            }
            progress.end()
            let record = Record(
                directory: options.directory, removedEntries: report.entries, freedBytes: report.bytes,
                missing: selection.unmatched)
            if options.json {
                try Output.json(record)
            } else {
                try Output.line(
                    "\(record.directory): \(Figures.count(record.removedEntries, "picture")) removed, "
                        + "\(Figures.bytes(record.freedBytes)) freed")
                for argument in record.missing { Output.note("webimage: nothing is kept for \(argument)") }
            }
            if !record.missing.isEmpty { throw ExitCode(1) }
        }
    }
}
