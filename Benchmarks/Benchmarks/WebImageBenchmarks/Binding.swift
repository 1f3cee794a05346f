import Benchmark
import BenchmarkInputs
import CAllocations
import Foundation
import WebImage

/// A view that does nothing with its picture.
@MainActor
private final class IdleTarget: ImageTarget {
    func show(
        _ content: SlotContent, in slot: SlotKey, transition: ImageTransition?, whenShown: (@MainActor () -> Void)?
    ) {}

    func indicate(_ activity: SlotActivity, in slot: SlotKey) {}
}

/// A slot of such a view, and a picture that is in memory.
@MainActor
private final class BoundView {
    private let slot: ImageSlot
    private let request: ImageRequest
    private let settings = SlotSettings(placeholder: .color(red: 0, green: 0, blue: 0), transition: .crossFade)

    init() async throws {
        let pipeline = ImagePipeline(configuration: .init(diskCache: nil))
        request = ImageRequest(url: BenchmarkInput.tinyPNG.url)
        _ = try await pipeline.response(for: request)
        slot = ImageSlot(pipeline: pipeline, target: IdleTarget())
    }

    /// - Returns: nanoseconds and blocks of memory in all.
    func show(_ count: Int, makesRequest: Bool) -> (time: Duration, allocations: Int) {
        let before = alloc_count()
        let time = ContinuousClock().measure {
            for _ in 0..<count {
                let request = makesRequest ? ImageRequest(url: self.request.url) : self.request
                blackHole(slot.show(request, settings: settings))
            }
        }
        return (time, Int(alloc_count() - before))
    }
}

func bindingBenchmarks() {
    for (name, makesRequest) in [("show from memory", false), ("show from memory, by address", true)] {
        Benchmark(name, configuration: .measuring([.each, .allocations], scale: .kilo)) {
            (benchmark: Benchmark, view: BoundView) async in
            let count = benchmark.configuration.scalingFactor.rawValue
            let (time, allocations) = await view.show(count, makesRequest: makesRequest)
            let (seconds, attoseconds) = time.components
            // Of all of them: the tool divides by the number of operations.
            benchmark.measurement(.each, Int(seconds) * 1_000_000_000_000 + Int(attoseconds) / 1_000_000)
            benchmark.measurement(.allocations, allocations * 1_000)
        } setup: {
            try await BoundView()
        }
    }
}
