import ArgumentParser
import WebImage

/// `webimage load`
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load pictures from URLs or files, resize them, and write them where you say.",
        discussion: """
            A picture on standard output leaves it to the picture: what became of it is then told on standard error.
            Exit code 0: all pictures were loaded; 1: one or more failed; 2: wrong usage.
            """)

    @Argument(help: "A URL, a path, or - for a list on standard input, one source a line.")
    var sources: [String]

    @Option(help: "The box that pictures are to meet, in pixels: 400x300, 400x or x300.")
    var size: SizeArgument?

    @Option(help: "How pictures meet the box: contain keeps all of them, cover fills the box.")
    var fit: FitArgument = .contain

    @Option(
        help:
            "What to write. By default what the output's extension says; in a folder png where there is alpha, else jpeg."
    )
    var format: FormatArgument?

    @Option(help: "From 1, smallest, to 100, best, where the format has loss.")
    var quality: Int = 80

    @Option(
        help:
            "A file for one source, - for standard output, a folder for several. What is there is replaced, but never a source."
    )
    var output: String?

    @Option(help: "A file that shows all loaded pictures side by side, in the format that its extension says.")
    var contactSheet: String?

    @Flag(help: "Ask the server in any case whether what is cached is still right.")
    var fresh = false

    @Flag(help: "Ask no server: only what is cached is used, however old it is.")
    var offline = false

    @Flag(help: "Say for each picture why it came from where it came.")
    var explain = false

    @OptionGroup var fetching: FetchingOptions

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        guard !sources.isEmpty else { throw ValidationError("Name at least one source: a URL, a path, or -.") }
        guard (1...100).contains(quality) else { throw ValidationError("--quality goes from 1 to 100.") }
        guard !(fresh && offline) else { throw ValidationError("--fresh and --offline exclude each other.") }
        guard format == nil || output != nil else { throw ValidationError("--format says how to write: say --output.") }
        try wish.check()
    }

    func run() async throws {
        let sources = try Source.named(sources)
        let plan = try OutputPlan(wish, for: sources)
        let pipeline = ImagePipeline.forCommand(fetching)
        let run = LoadRun(
            pipeline: pipeline, fetching: fetching, target: size?.target(fit: fit.fit), rule: rule, quality: quality,
            plan: plan, json: json, explain: explain)
        let failures = try await pipeline.finishingWrites { try await run.load(sources) }
        if failures > 0 { throw ExitCode(1) }
    }

    private var wish: OutputWish { OutputWish(path: output, format: format?.format, sheet: contactSheet) }

    private var rule: FreshnessRule {
        if fresh { return .revalidate }
        return offline ? .cacheOnly : .standard
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
