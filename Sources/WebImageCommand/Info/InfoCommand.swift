import ArgumentParser
import WebImage

/// `webimage info`
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Say what pictures are, without decoding them.",
        discussion: "Exit code 0: all pictures were read; 1: one or more failed; 2: wrong usage.")

    @Argument(help: "A URL, a path, or - for a list on standard input, one source a line.")
    var sources: [String]

    @OptionGroup var fetching: FetchingOptions

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() async throws {
        let sources = try Source.named(sources)
        let pipeline = ImagePipeline.forCommand(fetching)
        let failures = try await pipeline.finishingWrites {
            var failures = 0
            // They come as they come, and are told in the order in which they were named.
            var waiting: [Int: PictureReport] = [:]
            var next = 0
            try await sideBySide(sources, width: fetching.concurrency) { [fetching] _, source in
                await Self.report(source, fetching, pipeline)
            } take: { index, report in
                waiting[index] = report
                while let report = waiting.removeValue(forKey: next) {
                    next += 1
                    if report.error != nil { failures += 1 }
                    try tell(report)
                }
            }
            return failures
        }
        if failures > 0 { throw ExitCode(1) }
    }

    private static func report(
        _ source: Source, _ fetching: FetchingOptions, _ pipeline: ImagePipeline
    ) async -> PictureReport {
        do throws(ImageError) {
            guard let url = source.url else { throw .unreadable(source) }
            let bytes = try await pipeline.data(for: fetching.request(url)).bytes
            do throws(CodingError) {
                return try PictureReport(source: source.text, bytes: bytes)
            } catch {
                throw ImageError(error, stage: .decode, source)
            }
        } catch {
            return PictureReport(source: source.text, error: source.explained(error))
        }
    }

    private func tell(_ report: PictureReport) throws {
        if json { return try Output.json(report) }
        guard let error = report.error else {
            for line in InfoSheet.lines(report) { try Output.line(line) }
            return
        }
        Output.note("failed  \(report.source): \(error.message)")
    }
}
