import ArgumentParser
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `webimage show`
struct ShowCommand: AsyncParsableCommand {
    /// How pictures are drawn.
    enum Drawing: String, ExpressibleByArgument, CaseIterable {
        case auto, kitty, sixel, blocks
    }

    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Draw pictures in the terminal.",
        discussion: """
            The terminal is asked what it can draw: kitty's graphics, sixels, or else characters in colours. Of what moves \
            the first frame is drawn.
            Exit code 0: all pictures were drawn; 1: one or more failed; 2: wrong usage.
            """)

    @Argument(help: "A URL, a path, or - for a list on standard input, one source a line.")
    var sources: [String]

    @OptionGroup var fetching: FetchingOptions

    @Option(help: "How to draw: kitty, sixel, blocks, or auto for the best that the terminal says it knows.")
    var drawing: Drawing = .auto

    @Option(help: "At most so many characters wide. By default as wide as the terminal.")
    var columns: Int?

    @Option(help: "At most so many lines high. By default a little less than the terminal.")
    var rows: Int?

    func validate() throws {
        for value in [columns, rows].compactMap({ $0 }) where !(1...1_000).contains(value) {
            throw ValidationError("--columns and --rows go from 1 to 1000.")
        }
    }

    func run() async throws {
        let sources = try Source.named(sources)
        let terminal = Terminal(asks: drawing != .blocks, variables: ProcessInfo.processInfo.environment)
        let canvas = TerminalCanvas(terminal, drawing, columns: columns, rows: rows)
        let pipeline = ImagePipeline.forCommand(fetching)
        let failures = try await pipeline.finishingWrites {
            var failures = 0
            for source in sources {
                switch await Self.draw(source, on: canvas, fetching, pipeline) {
                case .success(let text):
                    try Output.drawing(text)
                    if sources.count > 1 { try Output.line(source.text) }
                case .failure(let error):
                    failures += 1
                    Output.note("failed  \(source.text): \(error.message)")
                }
            }
            return failures
        }
        if failures > 0 { throw ExitCode(1) }
    }

    private static func draw(
        _ source: Source, on canvas: TerminalCanvas, _ fetching: FetchingOptions, _ pipeline: ImagePipeline
    ) async -> Result<String, ImageError> {
        do throws(ImageError) {
            guard let url = source.url else { throw .unreadable(source) }
            let bitmap = try await pipeline.response(for: fetching.request(url, target: canvas.box)).bitmap
            do {
                return .success(try canvas.text(bitmap))
            } catch {
                throw ImageError(error, stage: .encode, source)
            }
        } catch {
            return .failure(source.explained(error))
        }
    }
}
