import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts a list of sources, a limited number at a time, and tells what became of each.
struct ConvertRun: Sendable {
    let pipeline: ImagePipeline
    let fetching: FetchingOptions
    let conversion: Conversion
    let plan: OutputPlan
    /// Whether a file that is there already gives way.
    let replaces: Bool
    let json: Bool
    /// Decodes, encodes and writes.
    private let coding = LimitedQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    /// What a source's conversion left behind.
    private struct Done: Sendable {
        let record: ConvertRecord
        /// What standard output gets.
        var piped: Bytes?
    }

    /// - Returns: how many failed.
    func convert(_ sources: [Source]) async throws -> Int {
        let display = ProgressDisplay(total: sources.count, isOn: Output.isErrorTerminal)
        defer { display.clear() }
        let channel: Output.Channel = plan.isPiped ? .error : .output
        var failures = 0
        // Twice the downloads: while some are encoded, the download slots stay taken.
        try await sideBySide(sources, width: fetching.concurrency * 2) { index, source in
            let done = await convert(source, index)
            display.finish(index, failed: done.record.error != nil)
            return done
        } take: { _, done in
            if done.record.error != nil { failures += 1 }
            display.clear()
            if let bytes = done.piped { try Output.picture(bytes) }
            if json { return try Output.json(done.record, to: channel) }
            if done.record.error != nil { return Output.note(done.record.line) }
            try Output.line(done.record.line, to: channel)
        }
        return failures
    }

    private func convert(_ source: Source, _ index: Int) async -> Done {
        do throws(ImageError) {
            let place = try plan.places[index].get()
            guard let url = source.url else { throw .unreadable(source) }
            let response = try await pipeline.data(for: fetching.request(url))
            return try await coding.run { () -> Result<Done, ImageError> in
                Result { () throws(ImageError) in try write(response, source, to: place) }
            }.get()
        } catch {
            return Done(record: ConvertRecord(source: source.text, error: source.explained(error)))
        }
    }

    private func write(
        _ response: DataResponse, _ source: Source, to place: OutputPlace
    ) throws(ImageError) -> Done {
        let converted = try conversion.convert(response.bytes, of: source)
        let record = ConvertRecord(
            source: source.text, response: response, converted: converted, output: place.name ?? "")
        guard case .file(let path, _) = place else { return Done(record: record, piped: converted.bytes) }
        do throws(OutputFile.Failure) {
            try OutputFile.write(converted.bytes, to: path, replaces: replaces)
        } catch {
            throw error.isTaken ? .outputExists(path, source) : ImageError(error, stage: .encode, source)
        }
        return Done(record: record)
    }
}
