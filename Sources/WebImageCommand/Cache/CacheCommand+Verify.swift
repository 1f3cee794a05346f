import ArgumentParser
import WebImage

extension CacheCommand {
    /// `webimage cache verify`
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Read every picture that is kept, and remove those that are damaged.",
            discussion: """
                Each file is compared with the checksum that was written into it. The exit code is 0 when all are whole, and \
                1 when one was damaged, whether it was removed or not.
                """)

        @OptionGroup var options: Options

        @Flag(help: "Remove nothing, only say what is damaged.")
        var keep = false

        /// A damaged entry: a line of `--json`.
        struct Damage: Encodable {
            let file: String
            let bytes: Int
            /// `incomplete`, `wrongChecksum`, `wrongName` or `unreadable`.
            let reason: String
            let removed: Bool
        }

        /// The last line of `--json`.
        struct Record: Encodable {
            let directory: String
            let entries: Int
            let bytes: Int
            let damagedEntries: Int
            let removedEntries: Int
        }

        func run() throws {
            let cache = try options.cache()
            let progress = WalkProgress(total: cache.statistics().entries, isOn: true)
            var damages: [Damage] = []
            let report = try cache.verify(removesDamaged: !keep) { damaged in
                progress.step()
                guard let damaged else { return }
                damages.append(
                    Damage(
                        file: damaged.fileName, bytes: damaged.byteCount, reason: damaged.reason.rawValue,
                        removed: damaged.wasRemoved))
            }
            progress.end()
            if options.json {
                for damage in damages { try Output.json(damage) }
                try Output.json(
                    Record(
                        directory: options.directory, entries: report.entries, bytes: report.bytes,
                        damagedEntries: report.damaged, removedEntries: report.removed))
            } else {
                for damage in damages {
                    try Output.line("\(damage.file): \(damage.sentence), \(damage.removed ? "removed" : "kept")")
                }
                let outcome = report.damaged == 0 ? "all whole" : "\(report.damaged) damaged, \(report.removed) removed"
                try Output.line(
                    "\(options.directory): \(Figures.count(report.entries, "picture")), "
                        + "\(Figures.bytes(report.bytes)): \(outcome)")
            }
            if report.damaged > 0 { throw ExitCode(1) }
        }
    }
}

extension CacheCommand.Verify.Damage {
    fileprivate var sentence: String {
        switch DamagedEntry.Reason(rawValue: reason) {
        case .incomplete: "cut short, or no entry"
        case .wrongChecksum: "not the bytes that were written"
        case .wrongName: "another picture's"
        case .unreadable: "cannot be read"
        default: reason
        }
    }
}
