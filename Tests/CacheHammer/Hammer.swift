import ByteBuffers
import Foundation
import ImageCaching

/// Works on a cache's folder as a process of its own.
///
///     CacheHammer hammer FOLDER NUMBER SEED OPERATIONS
///     CacheHammer fill FOLDER COUNT PAYLOAD_BYTES LIMIT
///     CacheHammer open FOLDER
///
/// `hammer` stores, reads and removes at random until it is killed or has done enough, to be run many times at once on the
/// same folder. Payloads say which key and version they are of and follow from these, so a torn or mixed-up one is seen. Three quarters
/// of the keys are everybody's; the rest belong to the process with this NUMBER alone and are never removed. After each
/// store of one of its own it prints the key and the version, so that whoever reads the lines knows what was committed.
/// Ends with 0 when it has seen nothing wrong.
///
/// `fill` stores so many entries, up to the limit in bytes; with a payload size of 0 each has 1 byte to 40 KiB. `open` prints
/// how many microseconds pass until a new cache has answered its first look-up, and how many entries it counts.
@main
struct Hammer {
    static let sharedKeys = 1_000
    static let ownKeys = 20

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let numbers = arguments.dropFirst(2).compactMap { UInt64($0) }
        guard arguments.count >= 2 else { exit(64) }
        switch (arguments[0], numbers.count) {
        case ("hammer", 3): try hammer(cache(in: arguments[1]), numbers)
        case ("fill", 3): try fill(cache(in: arguments[1], limit: Int(numbers[2])), Int(numbers[0]), Int(numbers[1]))
        case ("open", 0): try open(arguments[1])
        default: exit(64)
        }
    }

    private static func cache(in folder: String, limit: Int = 1 << 40) -> DiskCache {
        var configuration = DiskCache.Configuration(directory: folder)
        configuration.byteLimit = limit
        return DiskCache(configuration)
    }

    private static func fill(_ cache: DiskCache, _ count: Int, _ byteCount: Int) throws {
        var random = Random(state: 88_172_645_463_325_252)
        for number in 0..<count {
            let length = byteCount > 0 ? byteCount : Int(random.next() % 40_960) + 1
            try cache.store(Bytes([UInt8](repeating: UInt8(number & 255), count: length)), for: key("fill-\(number)"))
        }
    }

    private static func open(_ folder: String) throws {
        let start = ContinuousClock.now
        let cache = cache(in: folder)
        _ = try cache.entry(for: key("fill-0"))
        let time = ContinuousClock.now - start
        say("\(time.components.attoseconds / 1_000_000_000_000) \(cache.statistics().entries)")
    }

    private static func hammer(_ cache: DiskCache, _ numbers: [UInt64]) throws {
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
