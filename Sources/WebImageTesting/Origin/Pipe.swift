import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A pipe whose reading end becomes ready when the writing end is closed: a signal that `poll` can wait for.
final class Pipe: Sendable {
    let reader: Int32
    private let writer: Mutex<Int32>

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "There is no file descriptor left for a pipe: errno \(errno)")
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        reader = ends[0]
        writer = Mutex(ends[1])
    }

    deinit {
        closeWriter()
        close(reader)
    }

    func closeWriter() {
        writer.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }
}
