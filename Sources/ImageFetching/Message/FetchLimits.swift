/// How much one transfer may cost.
public struct FetchLimits: Sendable, Hashable {
    /// The most bytes of a body, as they travel. Default 256 MiB. A longer `Content-Length` is refused at the head;
    /// a body that just goes on is stopped at the limit.
    public var maxBodyBytes: Int
    /// The most bytes of a head, with its trailers. Default 64 KiB.
    public var maxHeaderBytes: Int
    /// The longest wait for progress: from the start to the whole head, and then for each piece of the body. Default
    /// 15 s. While the reader of a body does not ask for more, the time stands still.
    public var timeout: Duration
    /// The longest time for one hop with its body, whatever progress it makes. Default nil: no such limit.
    public var totalTimeout: Duration?

    public init(
        maxBodyBytes: Int = 256 << 20, maxHeaderBytes: Int = 64 << 10, timeout: Duration = .seconds(15),
        totalTimeout: Duration? = nil
    ) {
        self.maxBodyBytes = maxBodyBytes
        self.maxHeaderBytes = maxHeaderBytes
        self.timeout = timeout
        self.totalTimeout = totalTimeout
    }
}
