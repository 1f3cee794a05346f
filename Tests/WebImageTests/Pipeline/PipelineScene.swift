import Foundation
import Synchronization
import WebImage
import WebImageTesting

/// A pipeline with parts that a test can watch, in a cache folder that goes with it.
final class PipelineScene: Sendable {
    /// What gets bytes: the scripted transport, or libcurl and the others.
    enum Ways { case script, http }

    let transport = ScriptedTransport()
    let coder = CountingDecoder()
    let warnings = Tally()
    /// The clocks of the pipeline and its fetcher, but not of the disk cache.
    let clock = ManualClock()
    let events = EventLog()
    let directory: String
    private let files: any FileSystem
    let fetcher: Fetcher
    let pipeline: ImagePipeline

    init(
        over ways: Ways = .script, directory: String? = nil, files: any FileSystem = PosixFileSystem(),
        maxBodyBytes: Int? = nil, downloads: Int = 6
    ) throws {
        self.files = files
        var fetching = Fetcher.Configuration()
        // On a busy machine a test may have to wait for its turn longer than a server may keep a client waiting.
        fetching.timeout = .seconds(3_600)
        fetching.maxConcurrentDownloads = downloads
        fetching.retry = .none
        if let maxBodyBytes { fetching.limits.maxBodyBytes = maxBodyBytes }
        fetcher =
            switch ways {
            case .script:
                Fetcher(
                    configuration: fetching, transports: [transport], wallClock: clock.wall)
            case .http: Fetcher(configuration: fetching, wallClock: clock.wall)
            }
        self.directory = directory ?? NSTemporaryDirectory() + "webimage-tests-" + UUID().uuidString
        pipeline = Self.makePipeline(self.directory, files, fetcher, coder, warnings, clock, events)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Another pipeline on the same folder, with an empty memory, as after a restart.
    func restarted() -> ImagePipeline {
        Self.makePipeline(directory, files, fetcher, coder, warnings, clock, events)
    }

    /// Another pipeline with a memory cache of its own kind and no disk.
    func pipeline(memory: ImageMemoryCache) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(
            memoryCache: memory, diskCache: nil, coders: CoderRegistry.standard.adding(coder), fetcher: fetcher)
        configuration.now = clock.now
        configuration.wallClock = clock.wall
        return ImagePipeline(configuration: configuration)
    }

    /// Loads bytes from an address of their own.
    func load(_ bytes: [UInt8], target: TargetSize?) async throws -> ImageResponse {
        let address = "https://example.org/\(UUID().uuidString)"
        transport.answer(address, with: .body(bytes, mediaType: "image/png"))
        var request = try request(address)
        request.target = target
        return try await pipeline.response(for: request)
    }

    /// Entries and temporary files in the cache folder; not the file of the shared counters.
    var entryFiles: [String] {
        let all = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            let isFolder = (try? FileManager.default.attributesOfItem(atPath: "\(directory)/\(path)"))?[.type]
            return isFolder as? FileAttributeType == .typeRegular && path.split(separator: "/").count > 2
        }
    }

    func request(_ address: String, width: Int? = nil) throws -> ImageRequest {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        return ImageRequest(url: url, target: width.map { TargetSize(width: $0) })
    }

    private static func makePipeline(
        _ directory: String, _ files: any FileSystem, _ fetcher: Fetcher, _ coder: CountingDecoder, _ warnings: Tally,
        _ clock: ManualClock, _ events: EventLog
    ) -> ImagePipeline {
        let disk = DiskCache(
            DiskCache.Configuration(directory: directory), fileSystem: files, wallClock: DiskCache.systemClock,
            onWarning: { _ in warnings.add() })
        var configuration = ImagePipeline.Configuration(
            memoryCache: ImageMemoryCache(costLimit: 64 << 20), diskCache: disk,
            coders: CoderRegistry.standard.adding(coder), fetcher: fetcher)
        configuration.now = clock.now
        configuration.observers = [events]
        configuration.wallClock = clock.wall
        return ImagePipeline(configuration: configuration)
    }
}

/// Keeps every event.
final class EventLog: PipelineObserver {
    private let list = Mutex<[PipelineEvent]>([])

    func observe(_ event: PipelineEvent) { list.withLock { $0.append(event) } }

    var all: [PipelineEvent] { list.withLock { $0 } }

    func of(_ stage: PipelineEvent.Stage) -> [PipelineEvent] { all.filter { $0.stage == stage } }
}

/// Counts PNG decodes, notes their threads and what they are asked for, and leaves them to the standard coders.
final class CountingDecoder: ImageDecoder {
    let decodes = Tally()
    let threads = Mutex<Set<String>>([])
    let asked = Mutex<[(minimumSize: PixelSize?, limits: DecodeLimits)]>([])
    private let inner = PNGDecoder()

    var library: CodecLibrary { inner.library }
    var decodableFormats: [ImageFormat] { inner.decodableFormats }

    func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo { try inner.info(of: bytes) }

    func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        decodes.add()
        threads.withLock { _ = $0.insert(ThreadName.current) }
        asked.withLock { $0.append((options.minimumSize, options.limits)) }
        try inner.decode(bytes, options: options, into: sink)
    }
}

extension Bitmap {
    /// The pixels of all rows without the padding.
    var pixels: [UInt8] {
        withUnsafeBytes { bytes in
            (0..<height).flatMap { row in
                bytes[row * bytesPerRow..<row * bytesPerRow + width * format.bytesPerPixel]
            }
        }
    }
}
