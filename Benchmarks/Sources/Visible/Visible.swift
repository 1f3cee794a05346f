import Foundation
import Synchronization
import WebImage

/// How long what is on the screen waits while much is prefetched behind it.
///
///     Visible BASE_URL     BASE_URL serves the sample photograph for any path under it
///
/// Loads pictures one after the other at priority high on a pipeline that has nothing else to do, and then with 1,000
/// prefetches always in flight. Prints the median and the 95th percentile of both, and their ratio.
@main
enum Visible {
    struct Usage: Error {}

    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { throw Usage() }
        let base = CommandLine.arguments[1]
        for depth in [ImagePrefetcher.Depth.bytes, .pictures] {
            var idle: [Double] = [], busy: [Double] = []
            // In turns, so that a machine that others use disturbs both alike.
            for round in 0..<3 {
                idle += try await visible(base, "idle\(round)\(depth)", prefetching: nil)
                busy += try await visible(base, "busy\(round)\(depth)", prefetching: depth)
            }
            let (i50, i95) = percentiles(idle), (b50, b95) = percentiles(busy)
            print(
                String(
                    format:
                        "prefetching %@: idle p50 %.2f ms p95 %.2f ms; behind 1,000 prefetches p50 %.2f ms p95 %.2f ms; p95 ratio %.2f",
                    "\(depth)", i50, i95, b50, b95, b95 / i95))
        }
    }

    private static func visible(
        _ base: String, _ name: String, prefetching depth: ImagePrefetcher.Depth?
    ) async throws -> [Double] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "webimage-visible-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipeline = ImagePipeline(
            configuration: .init(diskCache: DiskCache(.init(directory: folder.path)), coders: .standard))
        var batch: PrefetchBatch?
        if let depth {
            // More than are done in the time, so that a thousand are always in flight.
            let urls = (0..<4_000).compactMap { URL(string: "\(base)/prefetch/\(name)/\($0)") }
            batch = ImagePrefetcher(pipeline: pipeline, depth: depth, maxConcurrent: 1_000)
                .prefetch(urls.map { ImageRequest(url: $0, target: TargetSize(width: 400)) })
            while (batch?.progress.ended ?? 0) < 20 { try await Task.sleep(for: .milliseconds(1)) }
        }
        var times: [Double] = []
        for number in 0..<40 {
            guard let url = URL(string: "\(base)/visible/\(name)/\(number)") else { throw Usage() }
            let request = ImageRequest(url: url, target: TargetSize(width: 400), priority: .high)
            let start = ContinuousClock.now
            _ = try await pipeline.response(for: request)
            times.append(Double((ContinuousClock.now - start).components.attoseconds) / 1e15)
        }
        batch?.cancel()
        _ = await batch?.summary
        return times
    }

    private static func percentiles(_ times: [Double]) -> (Double, Double) {
        let sorted = times.sorted()
        return (sorted[sorted.count / 2], sorted[sorted.count * 95 / 100])
    }
}
