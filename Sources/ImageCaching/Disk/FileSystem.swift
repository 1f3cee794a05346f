/// The system calls of the disk cache, so that tests can make each of them fail.
///
/// Names are relative to an open folder; no call follows a symbolic link in its last component.
package protocol FileSystem: Sendable {
    typealias Descriptor = Int32

    /// Opens the cache's own folder, and makes it with all its parents when it is missing.
    ///
    /// - Parameter isPrivate: refuses one that is a link, another user's, or open to the writes of others.
    func openRoot(_ path: String, isPrivate: Bool) throws(SystemError) -> Descriptor
    /// Opens a folder that is only read; nothing is made.
    func openExisting(_ path: String) throws(SystemError) -> Descriptor
    func openDirectory(_ name: String, in parent: Descriptor) throws(SystemError) -> Descriptor
    /// Makes a folder for this user only (mode 0700).
    func makeDirectory(_ name: String, in parent: Descriptor) throws(SystemError)
    func openForReading(_ name: String, in parent: Descriptor) throws(SystemError) -> Descriptor
    /// Opens a file that every process maps, without making it.
    func openForUpdating(_ name: String, in parent: Descriptor) throws(SystemError) -> Descriptor
    /// Makes a file that did not exist, for this user only (mode 0600).
    func create(_ name: String, in parent: Descriptor) throws(SystemError) -> Descriptor
    func read(_ file: Descriptor, into room: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int
    func write(_ file: Descriptor, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
    func status(of file: Descriptor) throws(SystemError) -> FileStatus
    func status(of name: String, in parent: Descriptor) throws(SystemError) -> FileStatus
    /// Sets the time of the last modification, in nanoseconds since 1970.
    func touch(_ file: Descriptor, _ time: Int64) throws(SystemError)
    func rename(_ name: String, in parent: Descriptor, to target: String, in folder: Descriptor) throws(SystemError)
    func remove(_ name: String, in parent: Descriptor) throws(SystemError)
    func names(in directory: Descriptor) throws(SystemError) -> [String]
    func space(of directory: Descriptor) throws(SystemError) -> FileSystemSpace
    func close(_ file: Descriptor) throws(SystemError)
}

/// What the cache wants to know of a file.
package struct FileStatus: Hashable, Sendable {
    package var size: Int
    /// Of the last modification, in nanoseconds since 1970.
    package var modified: Int64
    package var inode: UInt64
    /// Zero for a folder that was removed while it was open.
    package var linkCount: Int
    package var isRegular: Bool

    /// What the file takes on the disk, in whole blocks of 4 KiB, as `du` counts on the usual file systems.
    var footprint: Int { Self.footprint(of: size) }

    static func footprint(of size: Int) -> Int { size > Int.max - 4_096 ? size : (size + 4_095) & ~4_095 }
}

/// How large a file system is and how much of it this user may still fill, in bytes.
package struct FileSystemSpace: Hashable, Sendable {
    package var total: Int
    package var available: Int

    package init(total: Int, available: Int) {
        self.total = total
        self.available = available
    }
}

extension FileSystem {
    /// Reads until `room` is full or the file ends.
    func readAll(_ file: Descriptor, into room: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError)
        -> Int
    {
        var done = 0
        while done < room.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[done...])
            let count = try read(file, into: rest, at: offset + done)
            if count == 0 { break }
            done += count
        }
        return done
    }

    func writeAll(_ file: Descriptor, _ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            done += try write(file, UnsafeRawBufferPointer(rebasing: bytes[done...]))
        }
    }

    /// Closes a file whose content no longer matters.
    func discard(_ file: Descriptor) {
        try? close(file)
    }
}
