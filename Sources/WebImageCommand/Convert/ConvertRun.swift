import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts a list of sources, a limited number at a time, and tells what became of each.
struct ConvertRun: Sendable {
    /// A source and the file that is made of it.
    struct Job: Sendable {
        let source: Source
        let path: String
    }

    let pipeline: ImagePipeline
    let fetching: FetchingOptions
    let conversion: Conversion
    /// Whether a file that is there already gives way.
    let replaces: Bool
    let json: Bool
    /// Decodes, encodes and writes.
    private let coding = LimitedQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    init(
        pipeline: ImagePipeline, fetching: FetchingOptions, conversion: Conversion, replaces: Bool, json: Bool
    ) {
        self.pipeline = pipeline
        self.fetching = fetching
        self.conversion = conversion
        self.replaces = replaces
        self.json = json
    }

    /// - Returns: how many failed.
    func convert(_ jobs: [Job]) async throws -> Int {
        let display = ProgressDisplay(total: jobs.count, isOn: Output.isErrorTerminal)
        defer { display.clear() }
        var failures = 0
        // Twice the downloads: while some are encoded, the download slots stay taken.
        try await sideBySide(jobs, width: fetching.concurrency * 2) { index, job in
            let record = await convert(job)
            display.finish(index, failed: record.error != nil)
            return record
        } take: { _, record in
            if record.error != nil { failures += 1 }
            display.clear()
            if json { return try Output.json(record) }
            if record.error != nil { return Output.note(record.line) }
            try Output.line(record.line)
        }
        return failures
    }

    private func convert(_ job: Job) async -> ConvertRecord {
        do throws(ImageError) {
            guard let url = job.source.url else { throw .unreadable(job.source) }
            if !replaces, OutputFile.isThere(job.path) { throw existing(job) }
            let response = try await pipeline.data(for: fetching.request(url))
            return try await coding.run { () -> Result<ConvertRecord, ImageError> in
                Result { () throws(ImageError) in try write(response, job) }
            }.get()
        } catch {
            return ConvertRecord(source: job.source.text, error: job.source.explained(error))
        }
    }

    private func write(_ response: DataResponse, _ job: Job) throws(ImageError) -> ConvertRecord {
        let converted = try conversion.convert(response.bytes, of: job.source)
        do throws(OutputFile.Failure) {
            try OutputFile.write(converted.bytes, to: job.path, replaces: replaces)
        } catch {
            if error.isTaken { throw existing(job) }
            throw ImageError(error, stage: .encode, job.source)
        }
        return ConvertRecord(
            source: job.source.text, response: response, converted: converted, output: job.path)
    }

    private func existing(_ job: Job) -> ImageError {
        ImageError(
            .outputExists, stage: .encode, message: "\(job.path) is there already; --overwrite replaces it.",
            redactedURL: job.source.text)
    }
}

extension ImageError.Code {
    /// The output file is there already, and may not be replaced.
    fileprivate static let outputExists = ImageError.Code(rawValue: "outputExists")
}
