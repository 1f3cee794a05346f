#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The real file system. Calls that a signal interrupted are made again.
package struct PosixFileSystem: FileSystem {
    package init() {}

    package func openRoot(_ path: String, isPrivate: Bool) throws(SystemError) -> Descriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        guard isPrivate else { return try openRoot(path, flags) }
        // A slash at the end would have the link followed after all.
        var bare = path
        while bare.utf8.count > 1, bare.utf8.last == UInt8(ascii: "/") { bare.removeLast() }
        let root = try openRoot(bare, flags | O_NOFOLLOW)
        var status = stat()
        let error = fstat(root, &status) == 0 ? SystemError(EPERM) : .last
        if error.code == EPERM, status.st_uid == geteuid(), status.st_mode & (S_IWGRP | S_IWOTH) == 0 { return root }
        discard(root)
        throw error
    }

    private func openRoot(_ path: String, _ flags: Int32) throws(SystemError) -> Descriptor {
        let descriptor = open(path, flags)
        if descriptor >= 0 { return descriptor }
        guard errno == ENOENT else { throw .last }
        var made = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            made += "/\(name)"
            // An existing parent that cannot be written to says EROFS or EACCES here; the open below has the last word.
            _ = mkdir(made, 0o700)
        }
        return try Self.checked { open(path, flags) }
    }

    package func openExisting(_ path: String) throws(SystemError) -> Descriptor {
        try Self.checked { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    package func openDirectory(_ name: String, in parent: Descriptor) throws(SystemError) -> Descriptor {
        try Self.checked { openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    }

    package func makeDirectory(_ name: String, in parent: Descriptor) throws(SystemError) {
        try Self.checked { mkdirat(parent, name, 0o700) }
    }

    package func openForReading(_ name: String, in parent: Descriptor) throws(SystemError) -> Descriptor {
        // Without O_NONBLOCK a pipe under an entry's name would hold the reader for ever.
        try Self.checked { openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }

    package func openForUpdating(_ name: String, in parent: Descriptor) throws(SystemError) -> Descriptor {
        try Self.checked { openat(parent, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }

    package func create(_ name: String, in parent: Descriptor) throws(SystemError) -> Descriptor {
        try Self.checked { openat(parent, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    }

    package func read(
        _ file: Descriptor, into room: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemError) -> Int {
        try Self.checked { pread(file, room.baseAddress, room.count, off_t(offset)) }
    }

    package func write(_ file: Descriptor, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        let count = try Self.checked { Self.plainWrite(file, bytes.baseAddress, bytes.count) }
        // A write of more than nothing that wrote nothing would otherwise be tried for ever.
        guard count > 0 || bytes.isEmpty else { throw SystemError(EIO) }
        return count
    }

    package func status(of file: Descriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        try Self.checked { fstat(file, &status) }
        return FileStatus(status)
    }

    package func status(of name: String, in parent: Descriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        try Self.checked { fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }

    package func touch(_ file: Descriptor, _ time: Int64) throws(SystemError) {
        let (seconds, nanoseconds) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
        let stamp = timespec(tv_sec: Int(seconds), tv_nsec: Int(max(0, nanoseconds)))
        let stamps = [stamp, stamp]
        try Self.checked { futimens(file, stamps) }
    }

    package func rename(
        _ name: String, in parent: Descriptor, to target: String, in folder: Descriptor
    ) throws(SystemError) {
        try Self.checked { renameat(parent, name, folder, target) }
    }

    package func remove(_ name: String, in parent: Descriptor) throws(SystemError) {
        try Self.checked { unlinkat(parent, name, 0) }
    }

    package func names(in directory: Descriptor) throws(SystemError) -> [String] {
        // The stream takes its descriptor over and moves its position, so it gets one of its own.
        let own = try Self.checked { openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(own) else {
            let error = SystemError.last
            _ = Self.plainClose(own)
            throw error
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .last }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    package func space(of directory: Descriptor) throws(SystemError) -> FileSystemSpace {
        var status = statvfs()
        try Self.checked { fstatvfs(directory, &status) }
        let unit = Int(clamping: status.f_frsize)
        func bytes(_ blocks: some BinaryInteger) -> Int {
            let (product, overflow) = Int(clamping: blocks).multipliedReportingOverflow(by: unit)
            return overflow ? .max : product
        }
        return FileSystemSpace(total: bytes(status.f_blocks), available: bytes(status.f_bavail))
    }

    package func close(_ file: Descriptor) throws(SystemError) {
        // Not made again after EINTR: the descriptor is gone then and its number may be another file's.
        if Self.plainClose(file) != 0, errno != EINTR { throw .last }
    }

    @discardableResult
    private static func checked<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw .last }
        }
    }

    #if canImport(Glibc)
    private static let plainWrite = Glibc.write
    private static let plainClose = Glibc.close
    #elseif canImport(Musl)
    private static let plainWrite = Musl.write
    private static let plainClose = Musl.close
    #else
    private static let plainWrite = Darwin.write
    private static let plainClose = Darwin.close
    #endif
}

extension FileStatus {
    init(_ status: stat) {
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        // Anybody may give a file any time.
        let seconds = min(max(Int64(time.tv_sec), -9_000_000_000), 9_000_000_000)
        self.init(
            size: Int(status.st_size),
            modified: seconds * 1_000_000_000 + Int64(time.tv_nsec),
            inode: UInt64(status.st_ino),
            linkCount: Int(status.st_nlink),
            isRegular: status.st_mode & S_IFMT == S_IFREG)
    }
}
