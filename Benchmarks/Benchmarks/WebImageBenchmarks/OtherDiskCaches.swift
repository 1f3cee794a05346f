import Benchmark
import CControls
import Foundation

/// The same 64 payloads of 256 KiB in one SQLite database, as blobs, with a write-ahead log.
private final class DatabaseState {
    private let folder: URL
    private let database: OpaquePointer
    private let payload: [UInt8]
    private var room: [UInt8]
    private var next: Int64 = 0

    init(payloadSize: Int, keyCount: Int64) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "webimage-benchmark-\(UUID().uuidString)")
        sync()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let database = ctl_database_open(folder.appending(path: "entries.sqlite").path) else {
            throw ControlFailure(name: "open a database")
        }
        self.database = database
        payload = (0..<payloadSize).map { _ in UInt8.random(in: .min ... .max) }
        room = [UInt8](repeating: 0, count: payloadSize)
        for _ in 0..<keyCount { try store() }
    }

    deinit {
        ctl_database_close(database)
        try? FileManager.default.removeItem(at: folder)
    }

    private func take() -> Int64 {
        next = (next + 1) % 64
        return next
    }

    func store() throws {
        try ControlFailure.check(ctl_database_store(database, take(), payload, payload.count), "store")
    }

    func read() throws {
        guard ctl_database_read(database, take(), &room, room.count) == room.count else {
            throw ControlFailure(name: "read")
        }
    }
}

/// The same payloads as files that Foundation reads and writes.
private final class FoundationState {
    private let folder: URL
    private let payload: Data
    private var next = 0

    init(payloadSize: Int, keyCount: Int) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "webimage-benchmark-\(UUID().uuidString)")
        sync()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        payload = Data((0..<payloadSize).map { _ in UInt8.random(in: .min ... .max) })
        for _ in 0..<keyCount { try store() }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func take() -> URL {
        next = (next + 1) % 64
        return folder.appending(path: "\(next)")
    }

    func store() throws { try payload.write(to: take(), options: .atomic) }
    func read() throws -> Int { try Data(contentsOf: take()).count }
}

/// What else one could keep bytes in, beside the benchmarks of the disk cache.
func otherDiskBenchmarks() {
    let size = 256 << 10
    let storing = Benchmark.Configuration.measuring(atMost: 400)

    measure("disk hit, Foundation") {
        try FoundationState(payloadSize: size, keyCount: 64)
    } run: { state, _ in
        blackHole(try state.read())
    }

    measure("disk hit, SQLite") {
        try DatabaseState(payloadSize: size, keyCount: 64)
    } run: { state, _ in
        try state.read()
    }

    measure("disk store, Foundation", storing) {
        try FoundationState(payloadSize: size, keyCount: 64)
    } run: { state, _ in
        try state.store()
    }

    measure("disk store, SQLite", storing) {
        try DatabaseState(payloadSize: size, keyCount: 64)
    } run: { state, _ in
        try state.store()
    }
}
