import Synchronization
import WebImage

/// Loads a list of sources, a limited number at a time, and tells what became of each.
struct LoadRun: Sendable {
    let pipeline: ImagePipeline
    let target: TargetSize?
    let quality: Int
    let plan: OutputPlan?
    let json: Bool
    let contactSheet: String?
    let concurrency: Int

    /// What a source's load left behind.
    private struct Done: Sendable {
        let index: Int
        let record: LoadRecord
        let thumbnail: Bitmap?
    }

    /// - Returns: how many failed.
    func load(_ sources: [Source]) async throws -> Int {
        let display = ProgressDisplay(total: sources.count, isOn: Output.isErrorTerminal)
        let isTable = Output.isTerminal && !json
        let paths = OutputPaths(self.plan)
        var done: [Done] = []
        var failures = 0
        await withTaskGroup(of: Done.self) { group in
            var next = 0
            // Twice the downloads: while some decode and write, the download slots stay taken.
            while next < min(sources.count, concurrency * 2) {
                add(next, sources, paths, display, to: &group)
                next += 1
            }
            for await result in group {
                if next < sources.count {
                    add(next, sources, paths, display, to: &group)
                    next += 1
                }
                if result.record.isFailure { failures += 1 }
                if !isTable { report(result.record, display) }
                if isTable || contactSheet != nil { done.append(result) }
            }
        }
        display.clear()
        done.sort { $0.index < $1.index }
        if isTable { for line in LoadTable.lines(done.map(\.record), columns: Output.columns) { Output.line(line) } }
        if let contactSheet {
            try ContactSheet.write(done.compactMap(\.thumbnail), to: contactSheet)
            if !json { Output.line(contactSheet) }
        }
        return failures
    }

    private func add(
        _ index: Int, _ sources: [Source], _ paths: OutputPaths, _ display: ProgressDisplay,
        to group: inout TaskGroup<Done>
    ) {
        let source = sources[index]
        group.addTask {
            let done = await load(source, index, paths, display)
            display.finish(index, failed: done.record.isFailure)
            return done
        }
    }

    private func load(_ source: Source, _ index: Int, _ paths: OutputPaths, _ display: ProgressDisplay) async -> Done {
        do throws(ImageError) {
            guard let url = source.url else { throw .unreadable(source) }
            let task = pipeline.task(for: ImageRequest(url: url, target: target))
            for await case .progress(let progress) in task.events {
                display.update(index, name: source.name, progress)
            }
            let response = try await task.response
            var record = LoadRecord(source: source.text, response: response)
            if let (path, format) = paths.next(source, hasAlpha: !response.bitmap.format.isOpaque) {
                record.output = path
                try write(response, to: path, as: format, source)
            }
            let thumbnail = contactSheet == nil ? nil : try? response.bitmap.resized(to: ContactSheet.cell)
            return Done(index: index, record: record, thumbnail: thumbnail)
        } catch {
            return Done(index: index, record: LoadRecord(source: source.text, error: error), thumbnail: nil)
        }
    }

    private func write(
        _ response: ImageResponse, to path: String, as format: ImageFormat, _ source: Source
    ) throws(ImageError) {
        do {
            let options = EncodeOptions(quality: quality)
            try OutputFile.write(CoderRegistry.standard.encode(response.bitmap, as: format, options: options), to: path)
        } catch let error as CodingError {
            throw ImageError(
                ImageError.Code(rawValue: error.code.rawValue), stage: .encode, message: error.message,
                redactedURL: source.text, underlying: error)
        } catch {
            throw ImageError(
                .unwritable, stage: .encode, message: "The picture cannot be written to \(error).",
                redactedURL: source.text, underlying: error)
        }
    }

    private func report(_ record: LoadRecord, _ display: ProgressDisplay) {
        display.clear()
        if json {
            do { try Output.json(record) } catch { Output.note("webimage: \(error)") }
        } else if record.isFailure {
            Output.note(record.line)
        } else {
            Output.line(record.line)
        }
    }
}

/// Hands out the file names of an ``OutputPlan`` to loads that run side by side.
private final class OutputPaths: Sendable {
    private let plan: Mutex<OutputPlan?>

    init(_ plan: OutputPlan?) { self.plan = Mutex(plan) }

    func next(_ source: Source, hasAlpha: Bool) -> (path: String, format: ImageFormat)? {
        plan.withLock { $0?.file(for: source, hasAlpha: hasAlpha) }
    }
}

extension ImageError.Code {
    /// An output file cannot be written.
    static let unwritable = ImageError.Code(rawValue: "unwritable")
}

extension ImageError {
    static func unreadable(_ source: Source) -> ImageError {
        ImageError(
            .invalidRequest, stage: .request, message: "This is no URL that can be read.", redactedURL: source.text)
    }
}
