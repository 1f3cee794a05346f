import ArgumentParser
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `webimage prefetch`
struct PrefetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefetch",
        abstract: "Bring pictures into the disk cache before they are needed.",
        discussion: """
            Exit code 0: all pictures were kept; 1: one or more failed, or were loaded and not kept, because their server \
            forbids it or the cache cannot; 2: wrong usage.
            """)

    @Argument(help: "A file with one URL a line, # for comments, or - for such a list on standard input.")
    var list: String

    @Flag(help: "Decode every picture, to be sure that it can be shown.")
    var decode = false

    @OptionGroup var fetching: FetchingOptions

    @Flag(help: "Print one JSON object a line: one for each picture as it ends, then the figures.")
    var json = false

    /// A line of `--json`.
    struct Record: Encodable {
        let source: String
        /// Where it came from.
        var tier: String?
        /// Why it is not in the cache though it was loaded.
        var whyNotKept: String?
        var error: LoadRecord.Failure?
    }

    /// The last line of `--json`.
    struct Summary: Encodable {
        /// Pictures that are there.
        var loaded = 0
        /// Those that were loaded and are not there.
        var notKept = 0
        var failed = 0
        let total: Int

        var line: String {
            "loaded \(loaded), failed \(failed) of \(total)" + (notKept > 0 ? ", not kept \(notKept)" : "")
        }
    }

    func run() async throws {
        let sources = try Self.sources(list)
        let keeping = KeepingCheck()
        let pipeline = ImagePipeline.forCommand(fetching) { keeping.note($0) }
        let misses = try await pipeline.finishingWrites { try await prefetch(sources, pipeline, keeping) }
        if misses > 0 { throw ExitCode(1) }
    }

    /// - Returns: how many are not there.
    private func prefetch(
        _ sources: [Source], _ pipeline: ImagePipeline, _ keeping: KeepingCheck
    ) async throws -> Int {
        let display = ProgressDisplay(total: sources.count, isOn: Output.isErrorTerminal)
        defer { display.clear() }
        var summary = Summary(total: sources.count)
        func report(_ index: Int, _ result: Result<SourceTier, ImageError>, notKept: String? = nil) throws {
            let source = sources[index]
            var record = Record(source: source.text, whyNotKept: notKept)
            switch result {
            case .success(let tier):
                if notKept == nil { summary.loaded += 1 } else { summary.notKept += 1 }
                record.tier = tier.rawValue
            case .failure(let error):
                summary.failed += 1
                record.error = LoadRecord.Failure(source.explained(error))
            }
            let isMissing = record.error != nil || notKept != nil
            display.finish(index, failed: isMissing)
            if json || isMissing { display.clear() }
            if let notKept { Output.note("loaded, not kept: \(source.text): \(notKept)") }
            if let error = record.error { Output.note("failed   \(source.text): \(error.message)") }
            if json { try Output.json(record) }
        }

        var places: [Int] = []
        var requests: [ImageRequest] = []
        for (index, source) in sources.enumerated() {
            guard let url = source.url else {
                try report(index, .failure(.unreadable(source)))
                continue
            }
            places.append(index)
            requests.append(fetching.request(url))
        }
        let prefetcher = ImagePrefetcher(
            pipeline: pipeline, depth: decode ? .pictures : .bytes, maxConcurrent: fetching.concurrency)
        // Nothing else is loaded that it would have to stand back for.
        let batch = prefetcher.prefetch(requests, priority: .normal)
        defer { batch.cancel() }
        for await outcome in batch.outcomes {
            var notKept: String?
            if case .success(let tier) = outcome.result {
                notKept = await keeping.reason(requests[outcome.index], from: tier, in: pipeline)
            }
            try report(places[outcome.index], outcome.result, notKept: notKept)
        }
        display.clear()
        if json {
            try Output.json(summary)
        } else {
            try Output.line(summary.line)
        }
        return summary.failed + summary.notKept
    }

    private static func sources(_ list: String) throws -> [Source] {
        let sources: [Source]
        if list == "-" {
            sources = try Source.lines { readLine() }
        } else {
            guard let data = FileManager.default.contents(atPath: list) else {
                throw ValidationError("There is no list to read at \(list).")
            }
            // Empty lines stay, so that errors name the right one.
            var lines = String(decoding: data, as: UTF8.self)
                .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
            sources = try Source.lines { lines.popFirst().map(String.init) }
        }
        guard !sources.isEmpty else { throw ValidationError("The list names no picture: one URL a line.") }
        return sources
    }
}
