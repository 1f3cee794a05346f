import ImageFetching

/// What work makes.
enum WorkValue: Sendable {
    case bytes(LoadedBytes)
    case picture(MadePicture)
}

/// A picture on its way through the pipeline, without the bytes that it was made of. A class, so that the graph moves one
/// word.
final class MadePicture: Sendable {
    let picture: CachedPicture
    let tier: SourceTier
    let freshness: ResponseFreshness
    let trail: LoadTrail
    /// Whether it may be kept in memory.
    let mayBeKept: Bool
    /// What is kept beside it on disk; `nil` when it must not be kept there, or was there already.
    let stored: StoredResponse?
    let timings: StageTimings

    init(_ picture: CachedPicture, of loaded: LoadedBytes, timings: StageTimings) {
        self.picture = picture
        tier = loaded.description.tier
        freshness = loaded.description.freshness
        trail = loaded.description.trail
        mayBeKept = loaded.mayBeKept
        stored = loaded.description.stored
        self.timings = timings
    }

    /// One that was finished on disk.
    init(_ picture: CachedPicture, from result: StoredResult, timings: StageTimings) {
        self.picture = picture
        tier = .disk
        freshness = result.freshness
        trail = result.trail
        mayBeKept = true
        stored = nil
        self.timings = timings
    }

    /// One that was in memory.
    init(_ hit: MemoryHit) {
        picture = hit.picture
        tier = .memory
        freshness = hit.use.freshness
        trail = LoadTrail()
        mayBeKept = false
        stored = nil
        timings = StageTimings()
    }

    /// The picture after a step of processing.
    init(_ picture: CachedPicture, after input: MadePicture, timings: StageTimings) {
        self.picture = picture
        tier = input.tier
        freshness = input.freshness
        trail = input.trail
        mayBeKept = input.mayBeKept
        stored = input.stored
        self.timings = timings
    }

    /// What a task that began at `startedAt` gets.
    func response(startedAt: ContinuousClock.Instant, now: ContinuousClock.Instant) -> ImageResponse {
        var timings = timings
        timings.total = now - startedAt
        return ImageResponse(picture, tier: tier, freshness: freshness, trail: trail, timings: timings)
    }
}

/// A picture in memory that may be used.
struct MemoryHit: Sendable {
    let picture: CachedPicture
    let use: Validity.Use

    var response: ImageResponse {
        ImageResponse(
            picture, tier: .memory, freshness: use.freshness, trail: LoadTrail(), timings: StageTimings())
    }
}

/// A task as the work behind it sees it.
protocol WorkWaiter: AnyObject, Sendable {
    var request: ImageRequest { get }
    /// How urgent the request is.
    var initialPriority: ImagePriority { get }
    var goal: WorkKey { get }
    /// Where it waits; set under the graph's lock.
    var place: Int { get set }
    var startedAt: ContinuousClock.Instant { get }
    /// Whether it has its outcome.
    var isOver: Bool { get }

    /// `true` for the first caller only: no task starts over twice.
    func mayRestart() -> Bool

    /// Gives the task its outcome, unless it has one.
    func deliver(_ result: Result<WorkValue, ImageError>)

    /// Ends it as cancelled.
    func cancel()

    /// Whether anybody would see a preview.
    var isWatched: Bool { get }

    /// Shows it as much of the picture as there is.
    func show(_ preview: ImagePreview)

    /// Tells it how far the bytes are.
    func report(_ progress: FetchProgress)
}

/// A waiting task by its identity.
struct WaiterReference: Equatable, Sendable {
    let task: any WorkWaiter

    static func == (left: WaiterReference, right: WaiterReference) -> Bool { left.task === right.task }
}
