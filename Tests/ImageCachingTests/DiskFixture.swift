import ByteBuffers
import Synchronization
import WebImageTesting

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

func key(_ text: String) -> DiskKey {
    var fields = KeyFields("test")
    fields.append(text)
    return DiskKey(fields)
}

func payload(_ count: Int, seed: UInt64 = 1) -> Bytes {
    var random = SeededGenerator(seed: seed)
    return Bytes((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
}
