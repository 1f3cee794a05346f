/// How long each step of a load took. A step that did not happen is `nil`.
///
/// A task that joined work which was already running sees the whole length of that work, so a step can be longer than
/// ``total``.
public struct StageTimings: Hashable, Sendable {
    /// Looking for the bytes in the disk cache.
    public var disk: Duration?
    /// Looking for the bytes in the tiers behind the disk.
    public var tiers: Duration?
    /// From asking for the bytes until the last one came, waiting for a free download slot included.
    public var fetch: Duration?
    /// Waiting for a thread to decode on.
    public var queue: Duration?
    /// Reading the header, decoding, resizing and turning upright. These run interleaved, strip by strip.
    public var decode: Duration?
    /// The steps of processing, together.
    public var process: Duration?
    /// From the start of the task until its outcome.
    public var total: Duration

    public init(
        disk: Duration? = nil, tiers: Duration? = nil, fetch: Duration? = nil, queue: Duration? = nil,
        decode: Duration? = nil, process: Duration? = nil, total: Duration = .zero
    ) {
        self.disk = disk
        self.tiers = tiers
        self.fetch = fetch
        self.queue = queue
        self.decode = decode
        self.process = process
        self.total = total
    }
}
