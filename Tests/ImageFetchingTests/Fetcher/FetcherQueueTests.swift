import Foundation
import ImageFetching
import Testing
import WebImageTesting

/// In which order downloads that wait get their turn.
@Suite struct FetcherQueueTests {
    /// Fetches one address after the other over a single slot, each waiting when the next one comes, and returns the
    /// paths in the order in which the origin was asked for them.
    private func paths(_ order: FetchOrder, _ priorities: [FetchPriority]) async throws -> [String] {
        let origin = try OriginServer()
        let gate = Gate()
        origin.route("/held", OriginResponse.file([1]).held(by: gate))
        for index in priorities.indices { origin.route("/\(index)", .file([1])) }
        let fetcher = Fetcher(
            configuration: .init(maxConcurrentDownloads: 1, order: order, limits: .patient()),
            transports: [CurlTransport(configuration: .init(proxy: .none))])
        try await withThrowingTaskGroup(of: Void.self) { group in
            let held = FetchRequest(url: origin.url("/held"))
            group.addTask { _ = try await fetcher.fetch(held) }
            await origin.waitUntil { $0.requests.count == 1 }
            for (index, priority) in priorities.enumerated() {
                let request = FetchRequest(url: origin.url("/\(index)"))
                group.addTask { _ = try await fetcher.fetch(request, priority: priority) }
                while fetcher.downloadCounts.waiting <= index { await Task.yield() }
            }
            #expect(fetcher.downloadCounts == (running: 1, waiting: priorities.count))
            gate.open()
            try await group.waitForAll()
        }
        #expect(fetcher.downloadCounts == (running: 0, waiting: 0))
        return Array(origin.record.paths.dropFirst())
    }

    @Test("C161 C142 S060 S061: what runs and waits is counted; the first or the newest is next, as was configured")
    func order() async throws {
        let same = [FetchPriority](repeating: .normal, count: 4)
        #expect(try await paths(.fifo, same) == ["/0", "/1", "/2", "/3"])
        #expect(try await paths(.lifo, same) == ["/3", "/2", "/1", "/0"])
    }

    @Test("C150 S080: of those that wait the most urgent is next, by five levels, then in order")
    func priorities() async throws {
        let mixed: [FetchPriority] = [.low, .normal, .veryHigh, .veryLow, .high, .normal]
        #expect(try await paths(.fifo, mixed) == ["/2", "/4", "/1", "/5", "/0", "/3"])
    }
}
