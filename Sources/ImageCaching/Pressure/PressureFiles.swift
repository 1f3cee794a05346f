#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system's pressure stall information (Linux, `Documentation/accounting/psi.rst`), as far as it is used.
struct PressureFiles: Sendable {
    /// What happened at a file.
    enum Event: Sendable {
        case nothing
        case pressure
        /// The file will tell nothing any more: its control group was removed.
        case end
    }

    /// A file's text, nil if it cannot be read.
    var read: @Sendable (_ path: String) -> String?
    /// Opens a file and writes a trigger to it. Nil where there is no such file or this is not allowed.
    var arm: @Sendable (_ path: String, _ trigger: String) -> Int32?
    /// Waits, however long it takes, and says for each file what happened.
    var wait: @Sendable (_ descriptors: [Int32]) -> [Event]
    var close: @Sendable (_ descriptor: Int32) -> Void
}

extension PressureFiles {
    static let system = PressureFiles(
        read: TextFile.read,
        arm: { path, trigger in
            let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            // The kernel takes the text with its final zero. The trigger lives as long as the descriptor.
            let count = trigger.utf8.count + 1
            guard trigger.withCString({ write(descriptor, $0, count) }) == count else {
                closeFile(descriptor)
                return nil
            }
            return descriptor
        },
        wait: { descriptors in
            var files = descriptors.map { pollfd(fd: $0, events: Int16(POLLPRI), revents: 0) }
            // No limit of time: an idle process sleeps here, and no timer wakes it.
            guard poll(&files, nfds_t(files.count), -1) >= 0 else {
                return descriptors.map { _ in errno == EINTR || errno == EAGAIN ? .nothing : .end }
            }
            return files.map { file in
                if file.revents & Int16(POLLERR | POLLNVAL | POLLHUP) != 0 { return .end }
                return file.revents & Int16(POLLPRI) != 0 ? .pressure : .nothing
            }
        },
        close: { closeFile($0) })
}

/// `close` by another name than the property's.
private func closeFile(_ descriptor: Int32) { close(descriptor) }
