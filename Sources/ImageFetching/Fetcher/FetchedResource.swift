public import ByteBuffers

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a resource came from.
public enum ResourceOrigin: Sendable, Hashable {
    /// A server.
    case network
    /// A file, a `data:` URL, or an added transport: it took no download slot, but one of the slots for local reads.
    case local
}

/// How long the parts of a fetch took.
public struct FetchTimings: Sendable, Hashable {
    /// The wait for a download slot.
    public let waiting: Duration
    /// From then to the last head, redirects included.
    public let head: Duration
    /// From the head to the end of the body.
    public let body: Duration
}

/// All bytes behind an address.
public struct FetchedResource: Sendable {
    /// The body as it travelled, unless a hook has changed it. Empty for a 304.
    public let bytes: Bytes
    /// The head of the response that had the body.
    public let head: ResponseHead
    /// What was sent for it in the end, with every field.
    public let request: FetchRequest
    /// Every address that was asked, in order: the request's first, ``ResponseHead/finalURL`` last.
    public let hops: [URL]
    public let origin: ResourceOrigin
    /// When the last request was sent and when its head came, in nanoseconds since 1970.
    public let sentAt: Int64
    public let receivedAt: Int64
    public let timings: FetchTimings
    /// How many attempts it took.
    public internal(set) var attempts = 1
}
