public import ImageFetching

/// What a program does itself on the way of one request, under a name.
public struct RequestHooks: Sendable {
    /// What tells these hooks from others. It is part of the cache's keys: requests whose hooks make other bytes must have
    /// other names.
    public let name: String
    public let hooks: FetchHooks

    public init(_ name: String, _ hooks: FetchHooks) {
        self.name = name
        self.hooks = hooks
    }
}
