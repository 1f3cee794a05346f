/// What the origin answers: a head and then a script for the body. Nothing checks that the two agree.
public struct OriginResponse: Sendable {
    /// How the head says where the body ends.
    public enum Framing: Sendable {
        /// By a `Content-Length` of the body's true length.
        case length
        /// By a `Content-Length` that says this, whatever the body has.
        case declared(String)
        /// In chunks, a chunk for each piece.
        case chunked
        /// By the end of the connection.
        case close
        /// There is no head: the script's bytes are all that is sent.
        case raw
    }

    /// One step of the body's script.
    public enum Step: Sendable {
        /// Sends bytes.
        case bytes([UInt8])
        /// Goes on when the gate is open, and gives up when the client leaves.
        case wait(Gate)
        /// Sends nothing more and keeps the connection open until the client leaves or the server stops.
        case stall
        /// Sends this again and again until the client leaves.
        case endless([UInt8])
        /// Breaks the connection off with a TCP reset.
        case reset
        /// Closes the connection, in the midst of the body if need be.
        case close
        /// Lets the response end as it should, then resets the connection when the next request comes on it.
        case resetNext
    }

    public var status: Int
    public var headers: [(name: String, value: String)]
    public var framing: Framing
    public var body: [Step]
    /// The head is sent when this gate is open; nil sends it at once.
    public var gate: Gate?

    public init(
        status: Int = 200, headers: [(name: String, value: String)] = [], framing: Framing = .length,
        body: [Step] = [], gate: Gate? = nil
    ) {
        self.status = status
        self.headers = headers
        self.framing = framing
        self.body = body
        self.gate = gate
    }

    /// The same response, held back until the gate is open.
    public func held(by gate: Gate) -> OriginResponse {
        var held = self
        held.gate = gate
        return held
    }

    /// The same response with one more field.
    public func with(_ name: String, _ value: String) -> OriginResponse {
        var more = self
        more.headers.append((name, value))
        return more
    }

    /// The bytes that the script would send if nothing stopped it, without endless ones.
    var bodyLength: Int {
        body.reduce(0) { sum, step in
            if case .bytes(let bytes) = step { sum + bytes.count } else { sum }
        }
    }
}
