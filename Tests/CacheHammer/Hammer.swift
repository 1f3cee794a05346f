import ByteBuffers
import Foundation
import ImageCaching

/// Stores, reads and removes at random in one cache's folder until it is killed or has done enough, to be run many times at
/// once on the same folder.
///
///     CacheHammer FOLDER NUMBER SEED OPERATIONS
///
/// Payloads say which key and version they are of and follow from these, so a torn or mixed-up one is seen. Three quarters
/// of the keys are everybody's; the rest belong to the process with this NUMBER alone and are never removed. After each
/// store of one of its own it prints the key and the version, so that whoever reads the lines knows what was committed.
/// Ends with 0 when it has seen nothing wrong.
@main
struct Hammer {
    static let sharedKeys = 1_000
    static let ownKeys = 20

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.dropFirst().compactMap { UInt64($0) }
        guard let folder = arguments.first, numbers.count == 3 else { exit(64) }
        var configuration = DiskCache.Configuration(directory: folder)
        configuration.byteLimit = 1 << 40
        let cache = DiskCache(configuration)
        var random = Random(state: numbers[1] &* 0x9E37_79B9_7F4A_7C15 | 1)
        var version: UInt64 = 0
        for _ in 0..<numbers[2] {
            let isOwn = random.next() % 4 == 0
            let number = Int(random.next() % UInt64(isOwn ? ownKeys : sharedKeys))
            let name = isOwn ? "own-\(numbers[0])-\(number)" : "shared-\(number)"
            switch random.next() % 10 {
            case 0..<4:
                version += 1
                let stamp = numbers[1] << 32 | version
                try cache.store(payload(name, stamp), for: key(name))
                if isOwn { say("\(name) \(stamp)") }
            case 4 where !isOwn:
                try cache.remove(key(name))
            case 5 where random.next() % 200 == 0:
                try cache.sweep()
            default:
                guard let entry = try cache.entry(for: key(name)) else { continue }
                guard let stamp = stamp(of: entry.payload), entry.payload == payload(name, stamp) else {
                    say("torn \(name)")
                    exit(1)
                }
            }
        }
        if cache.statistics().corrupted > 0 { exit(2) }
    }

    static func key(_ name: String) -> DiskKey {
        var fields = KeyFields("hammer")
        fields.append(name)
        return DiskKey(fields)
    }

    /// Eight bytes of the stamp, then 0 to 40 KiB that follow from it and the name.
    static func payload(_ name: String, _ stamp: UInt64) -> Bytes {
        var random = Random(state: name.utf8.reduce(stamp | 1) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1)
        var words = [stamp]
        for _ in 0..<random.next() % 5_000 { words.append(random.next()) }
        return Bytes(words.withUnsafeBytes { Array($0) })
    }

    static func stamp(of payload: Bytes) -> UInt64? {
        payload.withUnsafeBytes { $0.count >= 8 ? $0.loadUnaligned(as: UInt64.self) : nil }
    }

    /// One line in one write, so that a kill leaves no half of it.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    struct Random {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
