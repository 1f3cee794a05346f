import Synchronization
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Loads a list of sources, a limited number at a time, and tells what became of each.
struct LoadRun: Sendable {
    let pipeline: ImagePipeline
    let fetching: FetchingOptions
    let target: TargetSize?
    let rule: FreshnessRule
    let quality: Int
    let plan: OutputPlan?
    let json: Bool
    let explain: Bool
    let contactSheet: String?
    /// Encodes, writes and shrinks.
    private let encoding = LimitedQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    /// What a source's load left behind.
    private struct Done: Sendable {
        let index: Int
        let record: LoadRecord
        let thumbnail: Bitmap?
    }

    /// - Returns: how many failed.
    func load(_ sources: [Source]) async throws -> Int {
        let display = ProgressDisplay(total: sources.count, isOn: Output.isErrorTerminal)
        defer { display.clear() }
        let isTable = Output.isTerminal && !json
        let paths = OutputPaths(self.plan, sources)
        var done: [Done] = []
        var failures = 0
        // Twice the downloads: while some decode and write, the download slots stay taken.
        try await sideBySide(sources, width: fetching.concurrency * 2) { index, source in
            let done = await load(source, index, paths, display)
            display.finish(index, failed: done.record.isFailure)
            return done
        } take: { _, result in
            if result.record.isFailure { failures += 1 }
            if !isTable { try report(result.record, display) }
            if isTable || contactSheet != nil { done.append(result) }
        }
        display.clear()
        done.sort { $0.index < $1.index }
        if isTable {
            for line in LoadTable.lines(done.map(\.record), columns: Output.columns) { try Output.line(line) }
        }
        if let contactSheet {
            let thumbnails = done.compactMap(\.thumbnail)
            try await encoding.run { Result { try ContactSheet.write(thumbnails, to: contactSheet) } }.get()
            if !json { try Output.line(contactSheet) }
        }
        return failures
    }

    private func load(_ source: Source, _ index: Int, _ paths: OutputPaths, _ display: ProgressDisplay) async -> Done {
        do throws(ImageError) {
            guard let url = source.url else { throw .unreadable(source) }
            let task = pipeline.task(for: fetching.request(url, target: target, rule: rule))
            for await case .progress(let progress) in task.events {
                display.update(index, name: source.name, progress)
            }
            let response = try await task.response
            return try await encoding.run { () -> Result<Done, ImageError> in
                Result { () throws(ImageError) in try finish(response, source, index, paths) }
            }.get()
        } catch {
            let record = LoadRecord(source: source.text, error: source.explained(error))
            return Done(index: index, record: record, thumbnail: nil)
        }
    }

    /// What is done with a picture once it is there.
    private func finish(
        _ response: ImageResponse, _ source: Source, _ index: Int, _ paths: OutputPaths
    ) throws(ImageError) -> Done {
        var record = LoadRecord(source: source.text, response: response, explain: explain)
        if let (path, format) = paths.next(source, hasAlpha: !response.bitmap.format.isOpaque) {
            record.output = path
            guard !paths.isSource(path) else { throw .outputIsSource(path, source) }
            try write(response, to: path, as: format, source)
        }
        let thumbnail = contactSheet == nil ? nil : try? response.bitmap.resized(to: ContactSheet.cell)
        return Done(index: index, record: record, thumbnail: thumbnail)
    }

    private func write(
        _ response: ImageResponse, to path: String, as format: ImageFormat, _ source: Source
    ) throws(ImageError) {
        do {
            let options = EncodeOptions(quality: quality)
            try OutputFile.write(CoderRegistry.standard.encode(response.bitmap, as: format, options: options), to: path)
        } catch {
            throw ImageError(error, stage: .encode, source)
        }
    }

    private func report(_ record: LoadRecord, _ display: ProgressDisplay) throws {
        display.clear()
        if json { return try Output.json(record) }
        guard !record.isFailure else { return Output.note(record.line) }
        for line in [record.line] + record.reasons { try Output.line(line) }
    }
}

/// Hands out the file names of an ``OutputPlan`` to loads that run side by side.
private final class OutputPaths: Sendable {
    private let plan: Mutex<OutputPlan?>
    private let sources: Set<OutputFile.Identity>

    init(_ plan: OutputPlan?, _ sources: [Source]) {
        self.plan = Mutex(plan)
        let files = plan == nil ? [] : sources.compactMap(\.url).filter(\.isFileURL)
        self.sources = Set(files.compactMap { OutputFile.Identity($0.path(percentEncoded: false)) })
    }

    /// Whether a file is one of those that are loaded.
    func isSource(_ path: String) -> Bool { OutputFile.Identity(path).map(sources.contains) ?? false }

    func next(_ source: Source, hasAlpha: Bool) -> (path: String, format: ImageFormat)? {
        plan.withLock { $0?.file(for: source, hasAlpha: hasAlpha) }
    }
}
