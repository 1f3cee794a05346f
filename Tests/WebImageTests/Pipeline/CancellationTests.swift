import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

/// Tasks that end before their work does, at every stage of it.
@Suite struct CancellationTests {
    static let address = "https://example.org/photo.png"

    let scene: PipelineScene
    let picture: [UInt8]

    init() throws {
        scene = try PipelineScene()
        picture = try PipelineScene.png(64, 48)
        scene.transport.answer(
            Self.address, with: .response(200, headers: [("Cache-Control", "max-age=60")], body: picture))
    }

    /// Every end that a task tells of: the codes of errors, or the width of a picture.
    private func ends(_ task: ImageTask) async -> [String] {
        var ends: [String] = []
        for await case .finished(let result) in task.events { ends.append(Self.name(result)) }
        return ends
    }

    private static func name(_ result: Result<ImageResponse, ImageError>) -> String {
        switch result {
        case .success(let response): "\(response.bitmap.width)"
        case .failure(let error): error.code.rawValue
        }
    }

    /// A pipeline with one thread of each kind over the scene's parts.
    private func pipeline(
        _ coders: CoderRegistry = .standard, diskCache: DiskCache? = nil,
        wallClock: (@Sendable () -> Int64)? = nil
    ) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(
            memoryCache: ImageMemoryCache(costLimit: 1 << 20), diskCache: diskCache, coders: coders,
            fetcher: scene.fetcher)
        configuration.cpuThreads = 1
        configuration.ioThreads = 1
        configuration.wallClock = wallClock ?? scene.clock.wall
        return ImagePipeline(configuration: configuration)
    }

    @Test("C026 S051 S052: a task may be cancelled twice, and after its end; it has one outcome, and that stays")
    func twice() async throws {
        scene.transport.gate.close()
        let first = scene.pipeline.task(for: try scene.request(Self.address))
        let second = scene.pipeline.task(for: try scene.request(Self.address))
        let watching = Task { await ends(first) }
        await scene.transport.arrivals.reaches(1)
        first.cancel()
        first.cancel()
        #expect(await watching.value == ["cancelled"])
        scene.transport.gate.open()
        #expect(try await second.response.bitmap.width == 64)
        second.cancel()
        second.priority = .high
        first.cancel()
        #expect(await ends(first) == ["cancelled"])
        #expect(await ends(second) == ["64"])
        #expect(try await second.response.bitmap.width == 64)
        #expect(scene.events.of(.load).map(\.error) == [.cancelled, nil])
    }

    @Test(
        "S044 C023 S018 C095: cancelled while the disk is asked, a load ends at once, and what the disk says is dropped"
    )
    func whileQuerying() async throws {
        _ = try await scene.pipeline.response(for: try scene.request(Self.address))
        await scene.pipeline.finishWrites()
        let asked = Tally()
        let held = DispatchGroup()
        held.enter()
        let clock = scene.clock.wall
        // The time is asked for in the midst of the look-up.
        let pipeline = pipeline(
            diskCache: DiskCache(DiskCache.Configuration(directory: scene.directory)),
            wallClock: {
                asked.add()
                held.wait()
                return clock()
            })
        let request = try scene.request(Self.address)
        let task = pipeline.task(for: request)
        await asked.reaches(1)
        task.cancel()
        #expect(await ends(task) == ["cancelled"])
        held.leave()
        #expect(await ends(task) == ["cancelled"])
        // The only thread that asks the disk is past it now.
        #expect(try await pipeline.response(for: request).tier == .disk)
        #expect(pipeline.core.memory?.count == 1 && scene.transport.requests.count == 1)
    }

    @Test("C023 P6: a decode that nobody wants any more hears of it while it runs")
    func whileDecoding() async throws {
        let decoder = EndlessDecoder()
        let pipeline = pipeline(CoderRegistry(decoders: [decoder]))
        let request = try scene.request(Self.address)
        let tasks = (0..<2).map { _ in pipeline.task(for: request) }
        await decoder.begun.reaches(1)
        tasks[0].cancel()
        #expect(decoder.stopped.count == 0)
        tasks[1].cancel()
        await decoder.stopped.reaches(1)
        for task in tasks { #expect(await ends(task) == ["cancelled"]) }
        #expect(pipeline.cachedResponse(for: request) == nil)
    }

    @Test("C023: a step of processing that nobody wants any more does not begin")
    func betweenSteps() async throws {
        let pipeline = pipeline()
        let begun = Tally(), next = Tally()
        let held = DispatchGroup()
        held.enter()
        var request = try scene.request(Self.address)
        request.processing = [
            .custom(
                CustomStep("first") { bitmap in
                    begun.add()
                    held.wait()
                    return bitmap
                }),
            .custom(
                CustomStep("second") { bitmap in
                    next.add()
                    return bitmap
                }),
        ]
        let task = pipeline.task(for: request)
        await begun.reaches(1)
        task.cancel()
        held.leave()
        #expect(await ends(task) == ["cancelled"])
        // The only thread that processes is past it now.
        _ = try await pipeline.response(for: try scene.request(Self.address))
        #expect(next.count == 0 && pipeline.cachedResponse(for: request) == nil)
    }

    @Test("S040 S072 S075 S077 S156: from many threads tasks come, are watched, move and leave: one outcome each")
    func storm() async throws {
        for index in 0..<4 {
            scene.transport.answer("https://example.org/\(index).png", with: .body(picture, mediaType: "image/png"))
        }
        let pictures = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<8 { group.addTask { try await work(worker) } }
            return try await group.reduce(0, +)
        }
        // Half of them is never cancelled.
        #expect((1_000...2_000).contains(pictures))
        #expect(scene.pipeline.taskCount == 0)
        // What nobody wants any more has to hear of it; would hang if something stayed behind.
        while scene.pipeline.core.graph.withLock({ $0.count }) > 0 { await Task.yield() }
        while scene.fetcher.downloadCounts != (0, 0) { await Task.yield() }
    }

    /// Makes 250 tasks, and cancels every other one while others move and watch it.
    ///
    /// - Returns: how many of them got their picture.
    private func work(_ worker: Int) async throws -> Int {
        var pictures = 0
        for round in 0..<250 {
            let leaves = (worker + round) % 2 == 0
            let width = 8 + round % 3
            var request = try scene.request("https://example.org/\(round % 4).png", width: width)
            request.caching.memory = []
            let task = scene.pipeline.task(for: request)
            async let watched = ends(task)
            async let alsoWatched = ends(task)
            async let moved: Void = { task.priority = ImagePriority.allCases[round % 5] }()
            async let left: Void = { if leaves { task.cancel() } }()
            _ = await (moved, left)
            let end = await Self.outcome(task)
            #expect(await [watched, alsoWatched] == [[end], [end]])
            #expect(end == "\(width)" || leaves && end == "cancelled")
            if end != "cancelled" { pictures += 1 }
        }
        return pictures
    }

    private static func outcome(_ task: ImageTask) async -> String {
        do throws(ImageError) {
            return name(.success(try await task.response))
        } catch { return name(.failure(error)) }
    }
}

/// Decodes until it is told to stop.
private final class EndlessDecoder: ImageDecoder {
    let begun = Tally()
    let stopped = Tally()
    private let inner = PNGDecoder()

    var library: CodecLibrary { inner.library }
    var decodableFormats: [ImageFormat] { inner.decodableFormats }

    func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo { try inner.info(of: bytes) }

    func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        begun.add()
        while options.shouldContinue() { sched_yield() }
        stopped.add()
        throw CodingError(.cancelled, "Told to stop.", format: .png)
    }
}
