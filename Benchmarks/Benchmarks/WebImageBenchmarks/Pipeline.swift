import Benchmark
import BenchmarkInputs
import Foundation
import WebImage

/// A pipeline whose origin never answers, and requests that are ready to be made.
private final class HeldPipeline {
    let pipeline: ImagePipeline
    private let fetcher: Fetcher
    private let requests: [ImageRequest]
    private var tasks: [ImageTask] = []

    init(requestCount: Int) throws {
        fetcher = Fetcher(transports: [HeldTransport()])
        pipeline = ImagePipeline(configuration: .init(diskCache: nil, fetcher: fetcher))
        requests = try (0..<requestCount).map { number in
            guard let url = URL(string: "http://origin.example/pictures/\(number).jpg?size=large") else {
                throw URLError(.badURL)
            }
            return ImageRequest(url: url, target: TargetSize(width: 400))
        }
        tasks.reserveCapacity(2_000)
    }

    /// Starts tasks, one for each request in turn.
    func start(_ count: Int) {
        for number in 0..<count { tasks.append(pipeline.task(for: requests[number % requests.count])) }
    }

    func cancel(after kept: Int) {
        for task in tasks.dropFirst(kept) { task.cancel() }
        tasks.removeLast(tasks.count - kept)
    }

    /// Returns when the download queue, which hears of a cancellation on other threads, has nothing left.
    func waitForQueue() {
        while fetcher.downloadCounts != (0, 0) { Thread.sleep(forTimeInterval: 0.001) }
    }
}

func pipelineBenchmarks() {
    measure("pipeline memory hit", .measuring(scale: .kilo)) {
        let pipeline = ImagePipeline(configuration: .init(diskCache: nil))
        let request = ImageRequest(url: BenchmarkInput.tinyPNG.url)
        _ = try await pipeline.response(for: request)
        return (pipeline, request)
    } run: { state, count in
        let (pipeline, request) = state
        for _ in 0..<count { blackHole(pipeline.cachedResponse(for: request)) }
    }

    measure("request with its keys", .measuring(scale: .kilo)) {
        BenchmarkInput.tinyPNG.url
    } run: { url, count in
        for _ in 0..<count { blackHole(ImageRequest(url: url, target: TargetSize(width: 400))) }
    }

    // A hundred pictures are on their way; ten more tasks come to each.
    measure("join running work", .measuring(scale: .kilo, atMost: 500)) {
        let held = try HeldPipeline(requestCount: 100)
        held.start(100)
        return held
    } clearUp: { held in
        // The first ones stay, and with them the work.
        held.cancel(after: 100)
    } run: { held, count in
        held.start(count)
    }

    measure("miss to task handle", .measuring(scale: .kilo, atMost: 200)) {
        try HeldPipeline(requestCount: 1_000)
    } clearUp: { held in
        held.cancel(after: 0)
        held.waitForQueue()
    } run: { held, count in
        held.start(count)
    }
}
