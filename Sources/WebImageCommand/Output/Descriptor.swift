#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Open files of the system.
enum Descriptor {
    /// Writes all bytes, however many calls it takes.
    ///
    /// - Returns: zero, or the system's number for what went wrong.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let written = write(file, rest.baseAddress, rest.count)
            if written < 0, errno != EINTR { return errno }
            if written > 0 { rest = UnsafeRawBufferPointer(rebasing: rest[written...]) }
        }
        return 0
    }

    /// Nil when there is no such file.
    static func fileSize(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
