import ArgumentParser
import WebImage

extension CacheCommand {
    /// `webimage cache list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the pictures that are kept.",
            discussion: """
                The largest come first with --sort size, those that were stored longest ago with --sort age, and with \
                --sort used those that nobody has wanted for the longest time.
                """)

        @OptionGroup var options: Options

        @Option(help: "What the list is sorted by: size, age or used. By default it is not sorted.")
        var sort: EntryOrder?

        @Option(help: "List no more than so many.")
        var limit: Int?

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("--limit is 1 or more.") }
        }

        func run() throws {
            let cache = try options.cache()
            var rows = TopRows(order: sort, limit: limit)
            // What is neither sorted nor aligned is printed as it is found, however much there is.
            let isStream = options.json && sort == nil
            let progress = WalkProgress(total: cache.statistics().entries, isOn: !(isStream && Output.isTerminal))
            var listed = 0
            var failure: (any Error)?
            try cache.forEachEntry { entry in
                progress.step()
                listed += 1
                let row = EntryRow(entry)
                if isStream {
                    do { try Output.json(row) } catch { failure = error }
                } else {
                    rows.add(row)
                }
                return failure == nil && (sort != nil || limit.map { listed < $0 } ?? true)
            }
            progress.end()
            if let failure { throw failure }
            if options.json {
                for row in rows.sorted { try Output.json(row) }
            } else {
                for line in EntryRow.table(rows.sorted, now: DiskCache.systemClock()).lines { try Output.line(line) }
            }
        }
    }
}
