import Foundation

/// A pipe to or from a program that is started with one of its ends. No other program gets a copy of either.
package struct ChildPipe {
    package let reading: Int32
    package let writing: Int32

    package init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ServerError("There is no pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }
}
