import WebImage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes whole files: what is under a name is complete, or what was there before. A link stays, and what it leads to is
/// written; a file that is replaced hands its permissions on. A device or a pipe is written to as it stands.
enum OutputFile {
    /// A file cannot be written; says which and why.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let code: Int32

        /// There is a file under that name already.
        var isTaken: Bool { code == EEXIST }
        /// A sentence of the system's.
        var reason: String { String(cString: strerror(code)) }
        var description: String { "\(path): \(reason)" }
    }

    /// Makes the folder if it is not there, writes beside the file, and renames.
    ///
    /// - Parameter replaces: a file that is there already gives way; otherwise it stays, and the failure is `EEXIST`.
    static func write(_ bytes: Bytes, to path: String, replaces: Bool = true) throws(Failure) {
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeFolder(String(path[..<slash])) }
        var status = stat()
        let exists = stat(path, &status) == 0
        let isSpecial = exists && status.st_mode & S_IFMT != S_IFREG
        let name = exists && replaces ? followed(path) : path
        let target = isSpecial ? path : "\(folder(of: name)).webimage-\(UInt64.random(in: 0 ... .max))"
        let file = open(target, isSpecial ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw Failure(path: path, code: errno) }
        var code = bytes.withUnsafeBytes { Descriptor.writeAll($0, to: file) }
        if code == 0, exists, !isSpecial, fchmod(file, status.st_mode & 0o777) != 0 { code = errno }
        if close(file) != 0, code == 0 { code = errno }
        if code == 0, !isSpecial, move(target, to: name, replaces) != 0 { code = errno }
        guard code != 0 else { return }
        if !isSpecial { unlink(target) }
        throw Failure(path: path, code: code)
    }

    /// Whether a name stands for standard output: a picture that went there as into a file would be mixed with the report of
    /// it, and where that goes to a file, take its place.
    static func isStandardOutput(_ path: String) -> Bool {
        if ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path) { return true }
        // By whatever name; a device that takes everything is none of its own.
        var (file, output) = (stat(), stat())
        guard stat(path, &file) == 0, fstat(STDOUT_FILENO, &output) == 0 else { return false }
        return [S_IFREG, S_IFIFO].contains(file.st_mode & S_IFMT) && file.st_dev == output.st_dev
            && file.st_ino == output.st_ino
    }

    /// A file of its own, not a device or a pipe, which are written to as they stand.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Why a file cannot be written, as far as that shows before it is tried.
    static func obstacle(to path: String) -> Failure? {
        var status = stat()
        guard stat(path, &status) == 0 else { return obstacle(toFileBeside: path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return obstacle(toFileBeside: followed(path))
        case S_IFDIR: return Failure(path: path, code: EISDIR)
        default: return access(path, W_OK) == 0 ? nil : Failure(path: path, code: errno)
        }
    }

    /// Why no file can be made in the folder of another, or the folder not be made.
    static func obstacle(toFileBeside path: String) -> Failure? {
        var folder = String(folder(of: path))
        while true {
            let place = folder.isEmpty ? "." : folder
            var status = stat()
            if stat(place, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFDIR else { return Failure(path: path, code: ENOTDIR) }
                return access(place, W_OK | X_OK) == 0 ? nil : Failure(path: path, code: errno)
            }
            let code = errno
            guard code == ENOENT, !folder.isEmpty else { return Failure(path: path, code: code) }
            folder = String(Self.folder(of: String(folder.dropLast())))
        }
    }

    /// What a file is, whatever it is called.
    struct Identity: Hashable, Sendable {
        private let device: UInt64
        private let number: UInt64

        /// Nil where there is nothing.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// Where a path leads when all links are followed.
    private static func followed(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// A second name and the first taken away: unlike a rename this leaves alone what another program wrote meanwhile.
    private static func move(_ file: String, to path: String, _ replaces: Bool) -> Int32 {
        if replaces { return rename(file, path) }
        guard link(file, path) == 0 else {
            // A file system without second names.
            guard [EPERM, EOPNOTSUPP].contains(errno), access(path, F_OK) != 0 else { return -1 }
            return rename(file, path)
        }
        unlink(file)
        return 0
    }

    /// With its slash; empty for a name alone.
    private static func folder(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[...$0] } ?? ""
    }

    private static func makeFolder(_ path: String) throws(Failure) {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw Failure(path: path, code: errno)
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw Failure(path: path, code: errno) }
    }
}
