import Benchmark
import CControls
import Foundation
import WebImage

/// A folder that goes with the last reference.
private final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "webimage-benchmark-\(UUID().uuidString)")

    init() throws {
        // What earlier benchmarks left for the system to write would be written while this one is measured.
        sync()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}

/// Incompressible, so that no file system makes less of it.
private func noise(_ count: Int) throws -> Bytes {
    try Bytes(capacity: count) { room in
        var generator = SystemRandomNumberGenerator()
        for index in room.indices { room[index] = UInt8.random(in: .min ... .max, using: &generator) }
        return count
    }
}

private final class DiskState {
    static let entryCount = 64

    let folder: Folder
    let cache: DiskCache
    let payload: Bytes
    let keys: [DiskKey]
    private var next = 0

    /// - Parameters:
    ///   - payloadSize: in bytes.
    ///   - stored: how many of the keys have an entry.
    ///   - capacity: how many entries fit, nil for all.
    init(payloadSize: Int, keyCount: Int, stored: Int, capacity: Int? = nil) throws {
        folder = try Folder()
        var configuration = DiskCache.Configuration(directory: folder.url.path)
        // An entry is its payload, a trailer, and what is missing to a whole block.
        if let capacity { configuration.byteLimit = capacity * (payloadSize + 4_096) }
        cache = DiskCache(configuration)
        payload = try noise(payloadSize)
        keys = (0..<keyCount).map { number in
            var fields = KeyFields("benchmark")
            fields.append(number)
            return DiskKey(fields)
        }
        for key in keys.prefix(stored) { try cache.store(payload, for: key) }
    }

    func take() -> DiskKey {
        next = next == keys.count - 1 ? 0 : next + 1
        return keys[next]
    }
}

private final class FileState {
    let folder: Folder
    let paths: [String]
    let payload: Bytes
    let room: UnsafeMutableRawBufferPointer
    private var next = 0

    init(payloadSize: Int) throws {
        let folder = try Folder()
        self.folder = folder
        paths = (0..<DiskState.entryCount).map { folder.path("\($0)") }
        payload = try noise(payloadSize)
        room = .allocate(byteCount: payloadSize, alignment: 16)
        for path in paths { try store(path) }
    }

    deinit { room.deallocate() }

    func take() -> String {
        next = next == paths.count - 1 ? 0 : next + 1
        return paths[next]
    }

    func store(_ path: String) throws {
        let status = payload.withUnsafeBytes {
            ctl_file_store(folder.path("temporary"), path, $0.baseAddress, $0.count)
        }
        try ControlFailure.check(status, "store")
    }
}

func diskBenchmarks() {
    let size = 256 << 10
    let count = DiskState.entryCount

    measure("disk hit") {
        try DiskState(payloadSize: size, keyCount: count, stored: count)
    } run: { state, _ in
        guard let entry = try state.cache.entry(for: state.take()) else { throw ControlFailure(name: "disk hit") }
        blackHole(entry.payload.count)
    }

    measure("disk hit (C)") {
        try FileState(payloadSize: size)
    } run: { state, _ in
        guard ctl_file_read(state.take(), state.room.baseAddress, state.room.count) == state.room.count else {
            throw ControlFailure(name: "read")
        }
    }

    measure("disk miss") {
        try DiskState(payloadSize: size, keyCount: count, stored: 0)
    } run: { state, _ in
        blackHole(try state.cache.entry(for: state.take()))
    }

    // Both replace a file that is there, so that the folder does not grow, and end before the system has so much to write
    // that it makes the writer wait.
    let storing = Benchmark.Configuration.measuring(atMost: 400)
    measure("disk store", storing) {
        try DiskState(payloadSize: size, keyCount: count, stored: count)
    } run: { state, _ in
        try state.cache.store(state.payload, for: state.take())
    }

    measure("disk store (C)", storing) {
        try FileState(payloadSize: size)
    } run: { state, _ in
        try state.store(state.take())
    }

    // Every store is of a new key over a full cache: what a sweep costs is shared out among the stores between two of them.
    for (name, capacity) in [("1k", 1_000), ("16k", 16_384)] {
        let sweeping = Benchmark.Configuration.measuring(
            [.wallClock, .allocations], scale: .kilo, for: .seconds(5), atMost: 20, warmup: 1)
        measure("disk store and evict \(name)", sweeping) {
            try DiskState(payloadSize: 1_024, keyCount: capacity * 4, stored: capacity, capacity: capacity)
        } run: { state, count in
            for _ in 0..<count { try state.cache.store(state.payload, for: state.take()) }
        }
    }
}
