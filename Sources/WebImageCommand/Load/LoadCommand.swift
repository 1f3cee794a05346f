import ArgumentParser
import WebImage

/// `webimage load`
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load pictures from URLs or files, resize them, and write them where you say.",
        discussion: "Exit code 0: all pictures were loaded; 1: one or more failed; 2: wrong usage.")

    @Argument(help: "A URL, a path, or - for a list on standard input, one source a line.")
    var sources: [String]

    @Option(help: "The box that pictures are to meet, in pixels: 400x300, 400x or x300.")
    var size: SizeArgument?

    @Option(help: "How pictures meet the box: contain keeps all of them, cover fills the box.")
    var fit: FitArgument = .contain

    @Option(help: "What to write: jpeg, png or webp. By default what the output's extension says.")
    var format: FormatArgument?

    @Option(help: "From 1, smallest, to 100, best, for jpeg and webp.")
    var quality: Int = 80

    @Option(help: "A file for one source, a folder for several.")
    var output: String?

    @Option(help: "A PNG file that shows all loaded pictures side by side.")
    var contactSheet: String?

    @Option(help: "Where downloads are kept. By default \(CacheDirectory.standard).")
    var cacheDir: String?

    @Option(help: "How many downloads run at once.")
    var concurrency: Int = 6

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        guard !sources.isEmpty else { throw ValidationError("Name at least one source: a URL, a path, or -.") }
        guard (1...100).contains(quality) else { throw ValidationError("--quality goes from 1 to 100.") }
        guard (1...1_024).contains(concurrency) else { throw ValidationError("--concurrency goes from 1 to 1024.") }
    }

    func run() async throws {
        let sources = Source.list(sources)
        let plan: OutputPlan?
        do throws(OutputPlan.UnknownFormat) {
            plan = try output.map { path throws(OutputPlan.UnknownFormat) in
                try OutputPlan(path: path, sourceCount: sources.count, format: format?.format)
            }
        } catch {
            throw ValidationError("The ending of \(error.path) names none of jpg, png, webp; say --format.")
        }
        let pipeline = ImagePipeline.forCommand(cacheDirectory: cacheDir, concurrency: concurrency)
        let run = LoadRun(
            pipeline: pipeline, target: size?.target(fit: fit.fit), quality: quality, plan: plan, json: json,
            contactSheet: contactSheet, concurrency: concurrency)
        let failures = try await run.load(sources)
        await pipeline.finishWrites()
        if failures > 0 { throw ExitCode(1) }
    }
}

/// How a picture meets its box.
enum FitArgument: String, ExpressibleByArgument, CaseIterable {
    case contain, cover

    var fit: Fit { self == .cover ? .cover : .contain }
}

/// `400x300`, `400x` or `x300`.
struct SizeArgument: ExpressibleByArgument {
    let width: Int?
    let height: Int?

    init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        width = Int(parts[0])
        height = Int(parts[1])
        guard width != nil || parts[0].isEmpty, height != nil || parts[1].isEmpty,
            TargetSize(width: width, height: height).isValid
        else { return nil }
    }

    func target(fit: Fit) -> TargetSize { TargetSize(width: width, height: height, fit: fit) }
}

/// A format that can be written.
enum FormatArgument: String, ExpressibleByArgument, CaseIterable {
    case jpeg, png, webp

    var format: ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        }
    }
}
