import ArgumentParser
import WebImage

/// `webimage info`
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Say what pictures are, from their headers alone.")

    @Argument(help: "A URL, a path, or - for a list on standard input, one source a line.")
    var sources: [String]

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
        let pipeline = ImagePipeline.forCommand(cacheDirectory: nil)
        var failures = 0
        for source in Source.list(sources) {
            let record = await Self.record(source, pipeline)
            if record.error != nil { failures += 1 }
            if json {
                try Output.json(record)
            } else if let error = record.error {
                Output.note("failed  \(source.text): \(error.message)")
            } else {
                Output.line(Self.line(record))
            }
        }
        if failures > 0 { throw ExitCode(1) }
    }

    private static func record(_ source: Source, _ pipeline: ImagePipeline) async -> Record {
        do throws(ImageError) {
            guard let url = source.url else { throw .unreadable(source) }
            let (info, bytes) = try await pipeline.info(for: ImageRequest(url: url, caching: .bypass))
            return Record(
                source: source.text, format: info.format.name, width: info.size.width, height: info.size.height,
                orientation: Int(info.orientation.rawValue), hasAlpha: info.hasAlpha, frames: info.frameCount,
                bytes: bytes)
        } catch {
            return Record(source: source.text, error: LoadRecord(source: source.text, error: error).error)
        }
    }

    private static func line(_ record: Record) -> String {
        let alpha = record.hasAlpha == true ? ", alpha" : ""
        let frames = record.frames.map { $0 == 1 ? "" : ", \($0) frames" } ?? ", animated"
        let orientation = record.orientation.map { $0 == 1 ? "" : ", orientation \($0)" } ?? ""
        return "\(record.source): \(record.format ?? "") \(record.width ?? 0)×\(record.height ?? 0)\(alpha)\(frames)"
            + "\(orientation), \(Figures.bytes(record.bytes ?? 0))"
    }
}
