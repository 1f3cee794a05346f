import Foundation
import Synchronization
import WebImage
import WebImageTesting

/// Machines that share scripted tiers: each has a disk cache of its own, all have the same origin and clock.
final class TierScene: Sendable {
    static let address = "https://example.org/photo.png"

    let transport = ScriptedTransport()
    let clock = ManualClock()
    let events = EventLog()
    let scripted: [ScriptedTier]
    /// All deadlines of the tiers stand before it.
    let deadline = AsyncGate()
    private let folders = Mutex<[String]>([])

    init(_ count: Int = 1, limits: TierLimits = TierLimits()) {
        scripted = (0..<count).map { ScriptedTier(name: "tier \($0)", limits: limits) }
    }

    deinit { for folder in folders.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: folder) } }

    /// A machine that has just been set up.
    func machine(hasDisk: Bool = true, policies: TierPolicies = TierPolicies()) -> ImagePipeline {
        let folder = NSTemporaryDirectory() + "webimage-tiers-" + UUID().uuidString
        folders.withLock { $0.append(folder) }
        let disk = DiskCache(DiskCache.Configuration(directory: folder), wallClock: clock.wall)
        var fetching = Fetcher.Configuration()
        fetching.timeout = .seconds(3_600)
        fetching.retry = .none
        var configuration = ImagePipeline.Configuration(
            memoryCache: ImageMemoryCache(costLimit: 64 << 20), diskCache: hasDisk ? disk : nil,
            fetcher: Fetcher(configuration: fetching, transports: [transport], wallClock: clock.wall))
        configuration.tiers = CacheTiers(
            scripted, policies: policies, now: clock.now, sleep: { [deadline] _ in try await deadline.pass() })
        configuration.now = clock.now
        configuration.wallClock = clock.wall
        configuration.observers = [events]
        return ImagePipeline(configuration: configuration)
    }

    func request(_ address: String = TierScene.address) throws -> ImageRequest {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        return ImageRequest(url: url)
    }

    /// Loads, and waits for what is written in the background.
    func load(
        _ pipeline: ImagePipeline, _ change: (inout ImageRequest) -> Void = { _ in }
    ) async throws -> ImageResponse {
        var request = try request()
        change(&request)
        let response = try await pipeline.response(for: request)
        await pipeline.finishWrites()
        return response
    }

    func serve(_ picture: [UInt8], _ fields: (String, String)...) {
        transport.answer(Self.address, with: .response(200, headers: fields, body: picture))
    }
}
