/// A request as the origin saw it.
public struct OriginRequest: Sendable {
    public let method: String
    /// The target as it stood in the request line, with its query.
    public let target: String
    public let headers: [(name: String, value: String)]
    /// Which connection it came on, from zero.
    public let connection: Int
    /// How many requests for the same path came before it.
    public let ordinal: Int

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The first value of a name, whatever its case.
    public subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// What happened at the origin so far.
public struct OriginRecord: Sendable {
    /// The requests in the order they came.
    public internal(set) var requests: [OriginRequest] = []
    /// How many connections were accepted.
    public internal(set) var connections = 0
    /// How many connections are open now.
    public internal(set) var openConnections = 0
    /// How many bytes were handed to the system for sending, heads included.
    public internal(set) var bytesSent = 0
    /// How many responses were cut off because the client left.
    public internal(set) var abandoned = 0

    /// The paths in the order they came.
    public var paths: [String] { requests.map(\.path) }
}
