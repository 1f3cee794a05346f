import ArgumentParser
import WebImage

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
            try Output.line(
                "\(record.directory): \(Figures.count(record.entries, "picture")), \(Figures.bytes(record.bytes)) of "
                    + Figures.bytes(record.byteLimit))
        }
    }
}
