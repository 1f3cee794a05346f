import ByteBuffers
import Testing
import WebImageTesting

@testable import ImageCaching

@Suite struct DiskModelTests {
    private struct Stored: Equatable {
        var payload: Bytes
        var storedAt: Int64
    }

    @Test("Random stores, reads, removals, sweeps and times agree with a dictionary", arguments: [1, 2, 3] as [UInt64])
    func agreesWithDictionary(seed: UInt64) throws {
        let fixture = DiskFixture()
        let caches = (0..<2).map { _ in fixture.cache { $0.maximumAge = .seconds(500) } }
        var random = SeededGenerator(seed: seed)
        var oracle: [Int: Stored] = [:]
        for step in 0..<4_000 {
            let cache = caches[step % 2]
            let number = Int.random(in: 0..<40, using: &random)
            oracle = oracle.filter { fixture.now - $0.value.storedAt < 500 * 1_000_000_000 }
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<35:
                let body = payload(Int.random(in: 0..<9_000, using: &random) / 10, seed: UInt64(step))
                try cache.store(body, for: key("\(number)"))
                oracle[number] = Stored(payload: body, storedAt: fixture.now)
            case 35..<80:
                let found = try cache.entry(for: key("\(number)"))
                let stored = found.map { Stored(payload: $0.payload, storedAt: $0.storedAt) }
                guard stored == oracle[number] else {
                    Issue.record("step \(step) differs")
                    return
                }
            case 80..<90:
                try cache.remove(key("\(number)"))
                oracle[number] = nil
            case 90..<98:
                fixture.advance(Int64.random(in: 0..<100, using: &random))
            case 98:
                try cache.sweep()
            default:
                if Int.random(in: 0..<5, using: &random) == 0 {
                    try cache.removeAll()
                    oracle = [:]
                }
            }
        }
        for number in 0..<40 { _ = try caches[0].entry(for: key("\(number)")) }
        oracle = oracle.filter { fixture.now - $0.value.storedAt < 500 * 1_000_000_000 }
        #expect(caches[1].statistics().entries == oracle.count)
        #expect(fixture.temporaries.isEmpty)
        #expect(caches.allSatisfy { $0.statistics().corrupted == 0 })
    }

    @Test("P35 F38: threads and two caches on one folder: no torn read, exact counters, no temporary file")
    func threads() async throws {
        let fixture = DiskFixture()
        let caches = (0..<2).map { _ in fixture.cache { $0.byteLimit = 60 * 8_192 } }
        // Each version of a payload is told by its first byte, so a mixture of two shows.
        let bodies = (0..<8).map { version in Bytes([UInt8](repeating: UInt8(version), count: 5_000 + version)) }
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    var wrong = 0
                    for _ in 0..<400 {
                        let name = key("\(Int.random(in: 0..<80, using: &random))")
                        let cache = caches[worker % 2]
                        do {
                            switch Int.random(in: 0..<10, using: &random) {
                            case 0..<5: try cache.store(bodies[Int.random(in: 0..<8, using: &random)], for: name)
                            case 5: try cache.remove(name)
                            default:
                                if let entry = try cache.entry(for: name), !bodies.contains(entry.payload) {
                                    wrong += 1
                                }
                            }
                        } catch {
                            wrong += 1
                        }
                    }
                    return wrong
                }
            }
            for await wrong in group { #expect(wrong == 0) }
        }
        #expect(caches.allSatisfy { $0.statistics().corrupted == 0 })
        #expect(fixture.temporaries.isEmpty)
        try caches[0].sweep()
        var bytes = 0
        try caches[0].forEachEntry {
            bytes += FileStatus.footprint(of: $0.byteCount + 1)
            return true
        }
        #expect(caches[1].statistics().bytes == bytes)
        #expect(bytes <= 60 * 8_192)
    }
}
