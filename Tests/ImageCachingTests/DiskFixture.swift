import ByteBuffers
import Synchronization

@testable import ImageCaching

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder of its own for a test's cache, a clock that stands still, and what the cache warned of.
final class DiskFixture: Sendable {
    let root: String
    let path: String
    let files = FaultyFileSystem()
    private let time = Mutex<Int64>(1_800_000_000 * 1_000_000_000)
    private let warned = Mutex<[CacheWarning]>([])

    init() {
        root = "/tmp/image-caching-tests-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        path = root + "/deep/cache"
    }

    deinit { Self.removeTree(root) }

    func cache(_ change: (inout DiskCache.Configuration) -> Void = { _ in }) -> DiskCache {
        var configuration = DiskCache.Configuration(directory: path)
        change(&configuration)
        return DiskCache(
            configuration, fileSystem: files, wallClock: { self.now },
            onWarning: { warning in self.warned.withLock { $0.append(warning) } })
    }

    var now: Int64 { time.withLock { $0 } }
    var warnings: [CacheWarning] { warned.withLock { $0 } }

    func advance(_ seconds: Int64) { time.withLock { $0 += seconds * 1_000_000_000 } }

    func file(of key: DiskKey) -> String { "\(path)/v1/\(key.fileName.prefix(2))/\(key.fileName)" }

    var temporaries: [String] { Self.names(in: path + "/v1/tmp") }

    static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    static func removeTree(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { removeTree(path + "/" + name) }
        rmdir(path)
    }

    static func read(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeSubrange(max(0, pread(file, &bytes, bytes.count, 0))...)
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { return }
        _ = pwrite(file, bytes, bytes.count, 0)
        close(file)
    }
}

/// The real file system, with calls that fail when a test says so.
final class FaultyFileSystem: FileSystem {
    enum Call: CaseIterable {
        case openRoot, openDirectory, makeDirectory, openForReading, create, read, write, touch, rename, close, names
    }

    private let real = PosixFileSystem()
    private let faults = Mutex<[Call: (code: Int32, after: Int)]>([:])
    /// The most bytes that one read or write moves.
    let pieceLimit = Atomic<Int>(.max)

    /// - Parameter after: how many calls succeed before.
    func fail(_ call: Call, _ code: Int32, after: Int = 0) { faults.withLock { $0[call] = (code, after) } }
    func heal() { faults.withLock { $0 = [:] } }

    private func check(_ call: Call) throws(SystemError) {
        let code: Int32? = faults.withLock { faults in
            guard let fault = faults[call] else { return nil }
            if fault.after == 0 { return fault.code }
            faults[call] = (fault.code, fault.after - 1)
            return nil
        }
        if let code { throw SystemError(code) }
    }

    func openRoot(_ path: String) throws(SystemError) -> Int32 {
        try check(.openRoot)
        return try real.openRoot(path)
    }
    func openDirectory(_ name: String, in parent: Int32) throws(SystemError) -> Int32 {
        try check(.openDirectory)
        return try real.openDirectory(name, in: parent)
    }
    func makeDirectory(_ name: String, in parent: Int32) throws(SystemError) {
        try check(.makeDirectory)
        try real.makeDirectory(name, in: parent)
    }
    func openForReading(_ name: String, in parent: Int32) throws(SystemError) -> Int32 {
        try check(.openForReading)
        return try real.openForReading(name, in: parent)
    }
    func openForUpdating(_ name: String, in parent: Int32) throws(SystemError) -> Int32 {
        try real.openForUpdating(name, in: parent)
    }
    func create(_ name: String, in parent: Int32) throws(SystemError) -> Int32 {
        try check(.create)
        return try real.create(name, in: parent)
    }
    func read(_ file: Int32, into room: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        try check(.read)
        let count = min(room.count, pieceLimit.load(ordering: .relaxed))
        return try real.read(file, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]), at: offset)
    }
    func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try check(.write)
        let count = min(bytes.count, pieceLimit.load(ordering: .relaxed))
        return try real.write(file, UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
    func status(of file: Int32) throws(SystemError) -> FileStatus { try real.status(of: file) }
    func status(of name: String, in parent: Int32) throws(SystemError) -> FileStatus {
        try real.status(of: name, in: parent)
    }
    func touch(_ file: Int32, _ time: Int64) throws(SystemError) {
        try check(.touch)
        try real.touch(file, time)
    }
    func rename(_ name: String, in parent: Int32, to target: String, in folder: Int32) throws(SystemError) {
        try check(.rename)
        try real.rename(name, in: parent, to: target, in: folder)
    }
    func remove(_ name: String, in parent: Int32) throws(SystemError) { try real.remove(name, in: parent) }
    func names(in directory: Int32) throws(SystemError) -> [String] {
        try check(.names)
        return try real.names(in: directory)
    }
    func close(_ file: Int32) throws(SystemError) {
        do {
            try check(.close)
        } catch {
            try real.close(file)
            throw error
        }
        try real.close(file)
    }
}

func key(_ text: String) -> DiskKey {
    var fields = KeyFields("test")
    fields.append(text)
    return DiskKey(fields)
}

func payload(_ count: Int, seed: UInt64 = 1) -> Bytes {
    var random = SeededGenerator(seed: seed)
    return Bytes((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
}
