import ArgumentParser
import WebImage

/// `webimage convert`
struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write pictures in another format: smaller, upright, in sRGB, still or moving.",
        discussion: """
            A picture on standard output leaves it to the picture: what became of it is then told on standard error.
            Exit code 0: all pictures were written; 1: one or more failed; 2: wrong usage.
            """)

    @Argument(help: "A URL, a path, or - for a list on standard input, one source a line.")
    var sources: [String]

    @Option(help: "What to write. By default what the output's extension says; png keeps one frame, apng all.")
    var format: ConvertFormat?

    @Option(help: "A file for one source, - for standard output, a folder for several.")
    var output: String = "."

    @Flag(help: "Replace files that are there already.")
    var overwrite = false

    @Option(help: "The width to meet in pixels; nothing is made larger.")
    var width: Int?

    @Option(help: "The height to meet in pixels; nothing is made larger.")
    var height: Int?

    @Option(help: "How pictures meet width and height: contain keeps all of them, cover fills the box.")
    var fit: FitArgument = .contain

    @Flag(help: "Of a moving picture only the first frame.")
    var firstFrame = false

    @OptionGroup var encoding: EncodingOptions

    @OptionGroup var fetching: FetchingOptions

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        guard !sources.isEmpty else { throw ValidationError("Name at least one source: a URL, a path, or -.") }
        guard let format = wanted else { throw ValidationError("Say --format: \(ConvertFormat.list).") }
        try wish(format).check()
        guard target.map(\.isValid) ?? true else {
            throw ValidationError("--width and --height go from 1 to \(TargetSize.maximumSide).")
        }
        guard !encoding.lossless || format.canBeLossless else {
            throw ValidationError("There is no lossless way to write \(format.still).")
        }
    }

    func run() async throws {
        guard let format = wanted else { throw ExitCode(2) }
        let sources = try Source.named(sources)
        let plan = try OutputPlan(wish(format), for: sources)
        let conversion = Conversion(
            format: format, options: encoding.options(for: format.still),
            sizes: [target, encoding.maxSize?.target].compactMap(\.self),
            keepsMetadata: encoding.metadata == .keepMetadata, isFirstFrameOnly: firstFrame)
        let pipeline = ImagePipeline.forCommand(fetching)
        let run = ConvertRun(
            pipeline: pipeline, fetching: fetching, conversion: conversion, plan: plan, replaces: overwrite, json: json)
        let failures = try await pipeline.finishingWrites { try await run.convert(sources) }
        if failures > 0 { throw ExitCode(1) }
    }

    private var wanted: ConvertFormat? { format ?? ConvertFormat(path: output) }

    private func wish(_ format: ConvertFormat) -> OutputWish {
        OutputWish(path: output, format: format.still, replacement: overwrite ? .all : .none)
    }

    private var target: TargetSize? {
        width == nil && height == nil ? nil : TargetSize(width: width, height: height, fit: fit.fit)
    }
}
