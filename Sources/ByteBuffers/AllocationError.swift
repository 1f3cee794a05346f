/// The system has no memory for a buffer that was asked for.
///
/// Large buffers are allocated through calls that can fail, so that a load that is too big for the machine ends with
/// an error and not with the process.
public struct AllocationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How many bytes were asked for.
    public let byteCount: Int

    public init(byteCount: Int) {
        self.byteCount = byteCount
    }

    public var description: String {
        "There is no memory for a buffer of \(byteCount) bytes."
    }
}
