#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Holds a response back until the test lets it go. Once open it stays open.
///
/// It takes the place of a delay: a test decides what happens between two pieces of a response, and waits for nothing.
public final class Gate: Sendable {
    private let pipe: Pipe

    public init() {
        pipe = Pipe()
    }

    /// Lets everything that waits here go on. May be called more than once and from any thread.
    public func open() {
        pipe.closeWriter()
    }

    /// Blocks the calling thread until the gate is open.
    package func wait() {
        var request = pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)
        // A signal wakes it too early.
        while poll(&request, 1, -1) < 0, errno == EINTR {}
    }

    /// Readable from ``open()`` on.
    var descriptor: Int32 { pipe.reader }
}
