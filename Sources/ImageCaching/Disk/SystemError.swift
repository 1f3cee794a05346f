#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a system call left in `errno`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) {
        self.code = code
    }

    package static var last: SystemError { SystemError(errno) }

    /// The system's own text.
    package var description: String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

extension SystemError {
    var isNotFound: Bool { code == ENOENT }
    var isExisting: Bool { code == EEXIST }

    /// A file is there, but is not what it should be.
    static var damaged: SystemError { SystemError(EILSEQ) }

    var cacheCode: CacheError.Code {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ENOENT, ELOOP, ENAMETOOLONG: .unusableDirectory
        case ENOMEM: .outOfMemory
        default: .inputOutput
        }
    }
}

extension CacheError {
    /// - Parameter action: what was tried, as in "write an entry".
    init(_ error: SystemError, _ action: String) {
        self.init(error.cacheCode, "Cannot \(action): \(error).", systemCode: error.code)
    }
}
