import ArgumentParser
import WebImage

/// `webimage info`
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Say what pictures are, from their headers alone.")

    @Argument(help: "A URL, a path, or - for a list on standard input, one source a line.")
    var sources: [String]

    @OptionGroup var fetching: FetchingOptions

    @Flag(help: "Print one JSON object a line.")
    var json = false

    /// One line of `--json`.
    struct Record: Encodable, Sendable {
        let source: String
        var format: String?
        var width: Int?
        var height: Int?
        var orientation: Int?
        var hasAlpha: Bool?
        /// Left out when it is not known without walking the whole file.
        var frames: Int?
        var bytes: Int?
        var error: LoadRecord.Failure?
    }

    func run() async throws {
        let sources = try Source.named(sources)
        let pipeline = ImagePipeline.forCommand(fetching)
        let failures = try await pipeline.finishingWrites {
            var failures = 0
            // They come as they come, and are told in the order in which they were named.
            var waiting: [Int: Record] = [:]
            var next = 0
            try await sideBySide(sources, width: fetching.concurrency) { [fetching] _, source in
                await Self.record(source, fetching, pipeline)
            } take: { index, record in
                waiting[index] = record
                while let record = waiting.removeValue(forKey: next) {
                    next += 1
                    if record.error != nil { failures += 1 }
                    try report(record)
                }
            }
            return failures
        }
        if failures > 0 { throw ExitCode(1) }
    }

    private static func record(
        _ source: Source, _ fetching: FetchingOptions, _ pipeline: ImagePipeline
    ) async -> Record {
        do throws(ImageError) {
            guard let url = source.url else { throw .unreadable(source) }
            let (info, bytes) = try await pipeline.info(for: fetching.request(url))
            return Record(
                source: source.text, format: info.format.name, width: info.size.width, height: info.size.height,
                orientation: Int(info.orientation.rawValue), hasAlpha: info.hasAlpha, frames: info.frameCount,
                bytes: bytes)
        } catch {
            return Record(source: source.text, error: LoadRecord.Failure(source.explained(error)))
        }
    }

    private func report(_ record: Record) throws {
        if json { return try Output.json(record) }
        guard let error = record.error else { return try Output.line(Self.line(record)) }
        Output.note("failed  \(record.source): \(error.message)")
    }

    private static func line(_ record: Record) -> String {
        let alpha = record.hasAlpha == true ? ", alpha" : ""
        let frames = record.frames.map { $0 == 1 ? "" : ", \($0) frames" } ?? ", animated"
        let orientation = record.orientation.map { $0 == 1 ? "" : ", orientation \($0)" } ?? ""
        return "\(record.source): \(record.format ?? "") \(record.width ?? 0)×\(record.height ?? 0)\(alpha)\(frames)"
            + "\(orientation), \(Figures.bytes(record.bytes ?? 0))"
    }
}
