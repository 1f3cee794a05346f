import Benchmark
import BenchmarkInputs
import Foundation
import WebImage

/// 200 callers ask for one photograph in five sizes at the same moment: how many requests and decodes come of it, and
/// how long it takes until the last one has its picture.
func sharingBenchmarks() {
    let metrics: [BenchmarkMetric] = [.wallClock, .requests, .decodes]
    Benchmark("200 callers, 5 sizes", configuration: .measuring(metrics, for: .seconds(4), atMost: 30)) {
        (benchmark: Benchmark, photo: Bytes) async throws -> Void in
        let transport = CountingTransport(photo)
        let decoder = CountingDecoder()
        let pipeline = ImagePipeline(
            configuration: .init(
                diskCache: nil, coders: CoderRegistry.standard.adding(decoder),
                fetcher: Fetcher(transports: [transport])))
        guard let url = URL(string: "http://origin.example/photo.jpg") else { throw URLError(.badURL) }
        let requests = [100, 200, 400, 800, 1_600].map { ImageRequest(url: url, target: TargetSize(width: $0)) }

        benchmark.startMeasurement()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for caller in 0..<200 {
                group.addTask { try await pipeline.response(for: requests[caller % 5]).bitmap.width }
            }
            for try await width in group { blackHole(width) }
        }
        benchmark.stopMeasurement()
        benchmark.measurement(.requests, transport.requestCount)
        benchmark.measurement(.decodes, decoder.decodeCount)
    } setup: {
        try Bytes(BenchmarkInput.photo.bytes())
    }
}
