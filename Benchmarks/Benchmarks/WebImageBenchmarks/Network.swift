import Benchmark
import CControls
import Foundation
import WebImage

/// An origin in this process. It takes part of the two processors from whoever is measured, the same part from both.
private struct Origin {
    static let bodySize = 100_000
    let url: String

    init() throws {
        var port: UInt16 = 0
        try ControlFailure.check(ctl_origin_start(Self.bodySize, &port), "origin")
        url = "http://127.0.0.1:\(port)/picture.jpg"
    }
}

/// Downloads over connections that are kept, six at a time.
func networkBenchmarks() {
    let downloads = 2_000
    let long = Benchmark.Configuration.measuring([.wallClock], for: .seconds(6), atMost: 15)

    Benchmark("2,000 downloads of 100 KB", configuration: long) {
        (benchmark: Benchmark, origin: Origin) async throws -> Void in
        let fetcher = Fetcher()
        guard let url = URL(string: origin.url) else { throw URLError(.badURL) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<downloads { group.addTask { try await fetcher.fetch(FetchRequest(url: url)).bytes.count } }
            for try await count in group where count != Origin.bodySize { throw ControlFailure(name: "downloads") }
        }
    } setup: {
        try Origin()
    }

    measure("2,000 downloads of 100 KB (C)", long) {
        try Origin()
    } run: { origin, _ in
        try ControlFailure.check(ctl_fetch_all(origin.url, UInt32(downloads), 6, Origin.bodySize), "downloads")
    }
}
