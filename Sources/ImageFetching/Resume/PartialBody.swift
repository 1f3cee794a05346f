public import ByteBuffers

/// The start of a body whose rest did not come, and what it takes to ask for the rest alone.
public struct PartialBody: Sendable, Hashable {
    /// The first bytes of the body, as they are before any decoding.
    public var bytes: Bytes
    /// What says that the resource is still the same, byte for byte: a strong `ETag` with its quotes, or a
    /// `Last-Modified` date that is one (RFC 9110 §8.8.1 and §8.8.2.2), as the server wrote it.
    public var validator: String
    /// How many bytes the whole body has; nil if that was not said.
    public var total: Int?

    public init(bytes: Bytes, validator: String, total: Int? = nil) {
        self.bytes = bytes
        self.validator = validator
        self.total = total
    }
}

/// Where the starts of broken downloads wait for their rest.
///
/// The calls come from any thread and must return quickly. A store may forget what it likes and when it likes; what it
/// gives back is checked against the server before it is used.
public protocol PartialBodyStore: Sendable {
    /// What was kept for the request, if it is still there.
    func partial(for request: FetchRequest) -> PartialBody?
    /// Keeps a start in the place of an older one of the same request.
    func keep(_ partial: PartialBody, for request: FetchRequest)
    /// Forgets what was kept for the request.
    func remove(for request: FetchRequest)
}
