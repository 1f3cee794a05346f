import ArgumentParser
import WebImage

/// `webimage codecs`
struct CodecsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codecs", abstract: "List the codec libraries, their versions, and what they read and write.")

    @Flag(help: "Print one JSON object a line.")
    var json = false

    /// One line of `--json`.
    struct Record: Encodable {
        let library: String
        let version: String
        let reads: [String]
        let writes: [String]
    }

    func run() throws {
        let records = Self.records(CoderRegistry.standard)
        guard !json else {
            for record in records { try Output.json(record) }
            return
        }
        var table = Table([("LIBRARY", .left), ("VERSION", .left), ("READS", .left), ("WRITES", .left)])
        for record in records {
            table.append([
                record.library, record.version, record.reads.joined(separator: " "),
                record.writes.joined(separator: " "),
            ])
        }
        for line in table.lines { try Output.line(line) }
    }

    /// What a coder writes, still and moving.
    private static func formats(_ encoder: any ImageEncoder) -> [ImageFormat] {
        let moving = (encoder as? any AnimationEncoder)?.encodableAnimations ?? []
        return encoder.encodableFormats + moving.filter { !encoder.encodableFormats.contains($0) }
    }

    /// One record for each library, in the order of the coders.
    static func records(_ registry: CoderRegistry) -> [Record] {
        var libraries: [CodecLibrary] = []
        for library in registry.decoders.map(\.library) + registry.encoders.map(\.library)
        where !libraries.contains(library) { libraries.append(library) }
        return libraries.map { library in
            Record(
                library: library.name, version: library.version,
                reads: registry.decoders.filter { $0.library == library }.flatMap(\.decodableFormats).map(\.name),
                writes: registry.encoders.filter { $0.library == library }.flatMap(Self.formats).map(\.name))
        }
    }
}
