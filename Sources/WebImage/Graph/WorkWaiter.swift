import ImageFetching

/// What work makes.
enum WorkValue: Sendable {
    case bytes(LoadedBytes)
    case picture(MadePicture)
}

/// A picture on its way through the pipeline.
struct MadePicture: Sendable {
    let picture: CachedPicture
    let tier: SourceTier
    let timings: StageTimings
}

extension MadePicture {
    /// One that was in memory.
    init(_ picture: CachedPicture) {
        self.init(picture: picture, tier: .memory, timings: StageTimings())
    }

    /// What a task that began at `startedAt` gets.
    func response(startedAt: ContinuousClock.Instant, now: ContinuousClock.Instant) -> ImageResponse {
        var timings = timings
        timings.total = now - startedAt
        return picture.response(tier: tier, timings: timings)
    }
}

/// A task as the work behind it sees it.
protocol WorkWaiter: AnyObject, Sendable {
    var request: ImageRequest { get }
    var goal: WorkKey { get }
    /// Where it waits; set under the graph's lock.
    var place: Int { get set }
    var startedAt: ContinuousClock.Instant { get }
    /// Whether it has its outcome.
    var isOver: Bool { get }

    /// Gives the task its outcome, unless it has one.
    func deliver(_ result: Result<WorkValue, ImageError>)

    /// Tells it how far the bytes are.
    func report(_ progress: FetchProgress)
}

/// A waiting task by its identity.
struct WaiterReference: Equatable, Sendable {
    let task: any WorkWaiter

    static func == (left: WaiterReference, right: WaiterReference) -> Bool { left.task === right.task }
}
