public import ByteBuffers

/// The seam to whatever moves bytes. One implementation serves one family of schemes.
public protocol Transport: Sendable {
    /// The schemes it serves, in lower case.
    var schemes: Set<String> { get }

    /// Starts a transfer and returns once its head is there.
    ///
    /// One hop: it never follows a redirect, sends no field that the request does not have beyond what the wire needs,
    /// and keeps no cookies. It stops when the task it runs in is cancelled.
    ///
    /// - Throws: ``FetchError``; other errors are taken for a failed connection.
    func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse
}

/// A response whose body is still to be read.
public struct TransportResponse: Sendable {
    public let head: ResponseHead
    public let body: any BodyStream

    public init(head: ResponseHead, body: any BodyStream) {
        self.head = head
        self.body = body
    }
}

/// A body that is pulled piece by piece: who does not ask for more holds the sender back.
///
/// Letting the last reference go has the effect of ``cancel()``.
public protocol BodyStream: AnyObject, Sendable {
    /// The next piece, never empty; nil after the last. One call at a time.
    ///
    /// - Throws: ``FetchError``, also when the transfer or the calling task was cancelled. After an error, the same again.
    ///   What came before the error is given out first.
    func next() async throws -> Bytes?

    /// Ends the transfer at once. A call that waits in ``next()`` throws. Does nothing after the end.
    func cancel()
}
