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
    let plan: OutputPlan
    let json: Bool
    let explain: Bool
    /// Encodes, writes and shrinks.
    private let encoding = LimitedQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    /// What a source's load left behind.
    private struct Done: Sendable {
        let index: Int
        var record: LoadRecord
        var thumbnail: Bitmap?
        /// What standard output gets.
        var piped: Bytes?
    }

    private var channel: Output.Channel { plan.isPiped ? .error : .output }

    /// - Returns: how many failed.
    func load(_ sources: [Source]) async throws -> Int {
        let display = ProgressDisplay(total: sources.count, isOn: Output.isErrorTerminal)
        defer { display.clear() }
        let isTable = Output.isTerminal && !json
        var done: [Done] = []
        var failures = 0
        // Twice the downloads: while some decode and write, the download slots stay taken.
        try await sideBySide(sources, width: fetching.concurrency * 2) { index, source in
            let done = await load(source, index, display)
            display.finish(index, failed: done.record.isFailure)
            return done
        } take: { _, result in
            if result.record.isFailure { failures += 1 }
            if let bytes = result.piped { try Output.picture(bytes) }
            if !isTable { try report(result.record, display) }
            if isTable || plan.sheet != nil { done.append(result) }
        }
        display.clear()
        done.sort { $0.index < $1.index }
        if isTable {
            for line in LoadTable.lines(done.map(\.record), columns: Output.columns) { try Output.line(line) }
        }
        if let sheet = plan.sheet {
            let thumbnails = done.compactMap(\.thumbnail)
            try await encoding.run { [quality] in Result { try sheet.write(thumbnails, quality: quality) } }.get()
            if !json { try Output.line(sheet.path, to: channel) }
        }
        return failures
    }

    private func load(_ source: Source, _ index: Int, _ display: ProgressDisplay) async -> Done {
        do throws(ImageError) {
            _ = try plan.places[index].get()
            guard let url = source.url else { throw .unreadable(source) }
            let task = pipeline.task(for: fetching.request(url, target: target, rule: rule))
            for await case .progress(let progress) in task.events {
                display.update(index, name: source.name, progress)
            }
            let response = try await task.response
            return try await encoding.run { () -> Result<Done, ImageError> in
                Result { () throws(ImageError) in try finish(response, source, index) }
            }.get()
        } catch {
            let record = LoadRecord(source: source.text, error: source.explained(error))
            return Done(index: index, record: record)
        }
    }

    /// What is done with a picture once it is there.
    private func finish(_ response: ImageResponse, _ source: Source, _ index: Int) throws(ImageError) -> Done {
        let place = try plan.place(index, source, hasAlpha: !response.bitmap.format.isOpaque)
        var done = Done(index: index, record: LoadRecord(source: source.text, response: response, explain: explain))
        done.record.output = place.name
        do {
            if plan.sheet != nil { done.thumbnail = try response.bitmap.resized(to: ContactSheet.cell) }
            guard let format = place.format else { return done }
            let options = EncodeOptions(quality: quality)
            let bytes = try CoderRegistry.standard.encode(response.bitmap, as: format, options: options)
            if case .file(let path, _) = place { try OutputFile.write(bytes, to: path) } else { done.piped = bytes }
            return done
        } catch {
            throw ImageError(error, stage: .encode, source)
        }
    }

    private func report(_ record: LoadRecord, _ display: ProgressDisplay) throws {
        display.clear()
        if json { return try Output.json(record, to: channel) }
        guard !record.isFailure else { return Output.note(record.line) }
        for line in [record.line] + record.reasons { try Output.line(line, to: channel) }
    }
}
