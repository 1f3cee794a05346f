import ArgumentParser
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CacheCommand {
    /// `webimage cache show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Say all that is known of a picture that is kept.",
            discussion: """
                A URL shows what is stored for it, each variant by itself. A file's name as `list --json` prints it, or the \
                first eight of its digits or more, shows that file. Nothing there ends with exit code 1.
                """)

        @OptionGroup var options: Options

        @Argument(help: "A URL, or the name of an entry's file.")
        var entry: String

        /// The line of `--json`.
        struct Record: Encodable {
            let file: String
            let path: String
            /// The key in words: what it identifies, then its fields.
            let key: String
            let url: String?
            /// The bytes as they came, and the file with all that stands behind them.
            let bytes: Int
            let fileBytes: Int?
            /// Seconds since 1970.
            let storedAt: Int
            let lastUsed: Int
            /// Until when HTTP calls it fresh; missing where it is no response, or never was fresh.
            let freshUntil: Int?
            let metadata: [String: String]
            /// The bytes of each of a program's attachments.
            let attachments: [String: Int]
        }

        func run() throws {
            var selection = try EntrySelection([entry])
            let cache = try options.cache { $0.maximumAge = nil }
            let progress = WalkProgress(total: cache.statistics().entries, isOn: true)
            var found: [CacheEntrySummary] = []
            try cache.forEachEntry { entry in
                progress.step()
                if selection.contains(entry) { found.append(entry) }
                return true
            }
            progress.end()
            guard !found.isEmpty else {
                Output.note("webimage: nothing is kept for \(entry)")
                throw ExitCode(1)
            }
            let records = found.map { Record($0, in: options.directory) }.sorted { $0.file < $1.file }
            if options.json {
                for record in records { try Output.json(record) }
            } else {
                for (index, record) in records.enumerated() {
                    if index > 0 { try Output.line("") }
                    for line in record.lines(now: DiskCache.systemClock()) { try Output.line(line) }
                }
            }
        }
    }
}

extension CacheCommand.Show.Record {
    init(_ entry: CacheEntrySummary, in directory: String) {
        file = entry.fileName
        path = "\(directory)/v1/\(entry.fileName.prefix(2))/\(entry.fileName)"
        key = KeyFields(encoded: entry.key)?.description ?? "\(entry.key.count) bytes of another version"
        url = entry.metadata["url"]
        bytes = entry.byteCount
        fileBytes = Descriptor.fileSize(path)
        storedAt = Int(entry.storedAt / 1_000_000_000)
        lastUsed = Int(entry.lastUsed / 1_000_000_000)
        let end = StoredResponse(fields: entry.metadata.fields)?.freshUntil
        freshUntil = end.flatMap { $0 == .min || $0 == .max ? nil : Int($0 / 1_000_000_000) }
        metadata = entry.metadata.fields
        attachments = entry.metadata.attachments.mapValues(\.count)
    }

    /// Names and values, one a line, the metadata and attachments last and by name.
    func lines(now: Int64) -> [String] {
        let seconds = Int(now / 1_000_000_000)
        func time(_ moment: Int) -> String {
            let date = Date(timeIntervalSince1970: TimeInterval(moment)).ISO8601Format()
            return moment > seconds
                ? "\(date), in \(Figures.age(moment - seconds))" : "\(date), \(Figures.age(seconds - moment)) ago"
        }
        var pairs = [("file", path), ("key", key)]
        if let url { pairs.append(("url", url)) }
        pairs.append(("bytes", "\(bytes) (\(Figures.bytes(bytes)))"))
        if let fileBytes { pairs.append(("file bytes", "\(fileBytes) (\(Figures.bytes(fileBytes)))")) }
        pairs += [("stored", time(storedAt)), ("last used", time(lastUsed))]
        if let freshUntil { pairs.append(("fresh until", time(freshUntil))) }
        let names = Array(metadata.keys) + Array(attachments.keys)
        let width = max(12, names.map { $0.visible.count + 4 }.max() ?? 0)
        func line(_ name: String, _ value: String) -> String {
            name.visible.padding(to: width) + value
        }
        return pairs.map { line($0, $1) } + (metadata.isEmpty ? [] : ["metadata"])
            + metadata.sorted { $0.key < $1.key }.map { line("  \($0.key)", $0.value) }
            + (attachments.isEmpty ? [] : ["attachments"])
            + attachments.sorted { $0.key < $1.key }.map { line("  \($0.key)", Figures.bytes($0.value)) }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, width - count))
    }
}
