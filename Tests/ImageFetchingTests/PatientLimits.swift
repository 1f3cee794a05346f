import ImageFetching

extension FetchLimits {
    /// Limits whose time is never up: on a busy machine a test may have to wait for its turn longer than a server may
    /// keep a client waiting.
    static func patient(maxBodyBytes: Int = FetchLimits().maxBodyBytes) -> FetchLimits {
        FetchLimits(maxBodyBytes: maxBodyBytes, timeout: .seconds(3_600))
    }
}
