package import ImageCaching
package import Synchronization

/// The real file system, with calls that fail when a test says so.
package final class FaultyFileSystem: FileSystem {
    package enum Call: CaseIterable {
        case openRoot, openDirectory, makeDirectory, openForReading, create, read, write, touch, rename, close, names
    }

    package init() {}

    private let real = PosixFileSystem()
    private let faults = Mutex<[Call: (code: Int32, after: Int)]>([:])
    private let gates = Mutex<[Call: Gate]>([:])
    /// The most bytes that one read or write moves.
    package let pieceLimit = Atomic<Int>(.max)
    /// What is said of the file system's room instead of the truth.
    package let claimedSpace = Mutex<FileSystemSpace?>(nil)

    /// - Parameter after: how many calls succeed before.
    package func fail(_ call: Call, _ code: Int32, after: Int = 0) { faults.withLock { $0[call] = (code, after) } }
    package func heal() { faults.withLock { $0 = [:] } }

    /// Holds every call of a kind up until the gate is opened.
    package func hold(_ call: Call) -> Gate {
        let gate = Gate()
        gates.withLock { $0[call] = gate }
        return gate
    }

    private func check(_ call: Call) throws(SystemError) {
        gates.withLock { $0[call] }?.wait()
        let code: Int32? = faults.withLock { faults in
            guard let fault = faults[call] else { return nil }
            if fault.after == 0 { return fault.code }
            faults[call] = (fault.code, fault.after - 1)
            return nil
        }
        if let code { throw SystemError(code) }
    }

    package func openRoot(_ path: String, isPrivate: Bool) throws(SystemError) -> Int32 {
        try check(.openRoot)
        return try real.openRoot(path, isPrivate: isPrivate)
    }
    package func openExisting(_ path: String) throws(SystemError) -> Int32 {
        try check(.openRoot)
        return try real.openExisting(path)
    }
    package func space(of directory: Int32) throws(SystemError) -> FileSystemSpace {
        if let space = claimedSpace.withLock({ $0 }) { return space }
        return try real.space(of: directory)
    }
    package func openDirectory(_ name: String, in parent: Int32) throws(SystemError) -> Int32 {
        try check(.openDirectory)
        return try real.openDirectory(name, in: parent)
    }
    package func makeDirectory(_ name: String, in parent: Int32) throws(SystemError) {
        try check(.makeDirectory)
        try real.makeDirectory(name, in: parent)
    }
    package func openForReading(_ name: String, in parent: Int32) throws(SystemError) -> Int32 {
        try check(.openForReading)
        return try real.openForReading(name, in: parent)
    }
    package func openForUpdating(_ name: String, in parent: Int32) throws(SystemError) -> Int32 {
        try real.openForUpdating(name, in: parent)
    }
    package func create(_ name: String, in parent: Int32) throws(SystemError) -> Int32 {
        try check(.create)
        return try real.create(name, in: parent)
    }
    package func read(_ file: Int32, into room: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError)
        -> Int
    {
        try check(.read)
        let count = min(room.count, pieceLimit.load(ordering: .relaxed))
        return try real.read(file, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]), at: offset)
    }
    package func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try check(.write)
        let count = min(bytes.count, pieceLimit.load(ordering: .relaxed))
        return try real.write(file, UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
    package func status(of file: Int32) throws(SystemError) -> FileStatus { try real.status(of: file) }
    package func status(of name: String, in parent: Int32) throws(SystemError) -> FileStatus {
        try real.status(of: name, in: parent)
    }
    package func touch(_ file: Int32, _ time: Int64) throws(SystemError) {
        try check(.touch)
        try real.touch(file, time)
    }
    package func rename(_ name: String, in parent: Int32, to target: String, in folder: Int32) throws(SystemError) {
        try check(.rename)
        try real.rename(name, in: parent, to: target, in: folder)
    }
    package func remove(_ name: String, in parent: Int32) throws(SystemError) { try real.remove(name, in: parent) }
    package func names(in directory: Int32) throws(SystemError) -> [String] {
        try check(.names)
        return try real.names(in: directory)
    }
    package func close(_ file: Int32) throws(SystemError) {
        do {
            try check(.close)
        } catch {
            try real.close(file)
            throw error
        }
        try real.close(file)
    }
}
