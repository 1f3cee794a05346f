import Foundation
import ServerSupport
import Synchronization
import Testing

@testable import CacheHammer
@testable import ImageCaching

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Eight processes work on one folder, and each is killed in the middle of what it does.
///
/// `HAMMER_ROUNDS` and `HAMMER_LINES` make it longer and `HAMMER` names another build of the program: `make soak` does.
@Suite struct KilledProcessTests {
    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
    }

    @Test("P10 P34 P35 F38 W030: kill -9 of eight processes: nothing torn, nothing committed lost, counts within 1 %")
    func killed() async throws {
        let fixture = DiskFixture()
        let built = try BuiltCommand("CacheHammer").executable
        let hammer = ProcessInfo.processInfo.environment["HAMMER"].map { URL(filePath: $0) } ?? built
        var committed: [String: UInt64] = [:]
        var torn: [String] = []
        for round in 0..<Self.setting("HAMMER_ROUNDS", 3) {
            let outcomes = try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<8 {
                    // Each is killed at another moment: after a number of commits of its own keys.
                    let lines = Self.setting("HAMMER_LINES", 40) + number * 7
                    group.addTask {
                        try await Self.run(
                            hammer, ["hammer", fixture.path, "\(number)", "\(round * 8 + number)"], until: lines)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            for line in outcomes {
                let words = line.split(separator: " ")
                guard words.count == 2, let stamp = UInt64(words[1]) else {
                    torn.append(line)
                    continue
                }
                committed[String(words[0])] = max(committed[String(words[0])] ?? 0, stamp)
            }
        }
        #expect(torn.isEmpty)
        #expect(committed.count == 8 * Hammer.ownKeys)
        let cache = DiskCache(DiskCache.Configuration(directory: fixture.path))
        for (name, stamp) in committed {
            let payload = try cache.entry(for: Hammer.key(name))?.payload
            let found = payload.flatMap(Hammer.stamp)
            // A later one may have been committed without being told of.
            #expect((found ?? 0) >= stamp, "\(name)")
            #expect(payload == found.map { Hammer.payload(name, $0) })
        }
        #expect(cache.statistics().corrupted == 0)
        Self.expectCounts(cache, within: 100)
        // An hour later what the dead have left is gone and the counts are exact.
        let later = DiskCache(
            DiskCache.Configuration(directory: fixture.path),
            wallClock: { DiskCache.systemClock() + 3_601 * 1_000_000_000 })
        try later.sweep()
        #expect(fixture.temporaries.isEmpty)
        Self.expectCounts(later, within: .max)
    }

    /// - Parameter share: the counts may be off by one in so many.
    private static func expectCounts(_ cache: DiskCache, within share: Int) {
        let root = cache.configuration.directory + "/v1"
        let shards = DiskFixture.names(in: root).filter { $0.utf8.count == 2 }
        let sizes = shards.flatMap { shard in
            DiskFixture.names(in: "\(root)/\(shard)").map { name in
                var status = stat()
                lstat("\(root)/\(shard)/\(name)", &status)
                return FileStatus.footprint(of: Int(status.st_size))
            }
        }
        let bytes = sizes.reduce(0, +)
        let statistics = cache.statistics()
        #expect(sizes.count > 300)
        #expect(abs(statistics.entries - sizes.count) <= sizes.count / share)
        #expect(abs(statistics.bytes - bytes) <= bytes / share)
    }

    /// Runs it until it has said so many lines, kills it, and returns all that it said.
    private static func run(_ executable: URL, _ arguments: [String], until count: Int) async throws -> [String] {
        let output = Pipe()
        let (reading, writing) = (output.fileHandleForReading, output.fileHandleForWriting)
        let process = try ChildProcess(executable, arguments + ["1000000000"], output: writing.fileDescriptor)
        try writing.close()
        let text = await withCheckedContinuation { continuation in
            // Reading blocks, so on a thread that may.
            DispatchQueue.global().async {
                var text: [UInt8] = []
                var lines = 0
                while case let piece = reading.portion(), !piece.isEmpty {
                    text += piece
                    let before = lines
                    lines += piece.count { $0 == UInt8(ascii: "\n") }
                    if before < count, lines >= count { process.send(SIGKILL) }
                }
                continuation.resume(returning: text)
            }
        }
        await process.end()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
